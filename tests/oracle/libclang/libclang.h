/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the part of libclang 19's C interface that the oracle uses. The interface is stable:
 * names, values and layouts are those of the library. The package with all of its headers takes 300
 * MB, so only the library is installed.
 */
#ifndef WEFT_TESTS_LIBCLANG_H
#define WEFT_TESTS_LIBCLANG_H

#include <stddef.h>

typedef void *CXIndex, *CXFile, *CXDiagnostic, *CXEvalResult, *CXClientData;
typedef struct CXTranslationUnitImpl *CXTranslationUnit;
struct CXUnsavedFile;

typedef struct {
	const void *data;
	unsigned int private_flags;
} CXString;

typedef struct {
	const void *ptr_data[2];
	unsigned int int_data;
} CXSourceLocation;

typedef struct {
	const void *ptr_data[2];
	unsigned int begin_int_data, end_int_data;
} CXSourceRange;

enum CXErrorCode { CXError_Success = 0 };
enum CXChildVisitResult { CXChildVisit_Continue = 1 };
enum CXVisitorResult { CXVisit_Continue = 1 };
enum CXDiagnosticSeverity { CXDiagnostic_Error = 3 };
enum { CXTranslationUnit_KeepGoing = 0x200 };
typedef enum { CXEval_Int = 1 } CXEvalResultKind;

enum CXCursorKind {
	CXCursor_StructDecl = 2,
	CXCursor_UnionDecl = 3,
	CXCursor_EnumDecl = 5,
	CXCursor_FieldDecl = 6,
	CXCursor_FunctionDecl = 8,
	CXCursor_VarDecl = 9,
	CXCursor_ParmDecl = 10,
	CXCursor_TypedefDecl = 20,
	CXCursor_MemberRef = 47,
	CXCursor_UnexposedExpr = 100,
	CXCursor_DeclRefExpr = 101,
	CXCursor_MemberRefExpr = 102,
	CXCursor_CallExpr = 103,
	CXCursor_IntegerLiteral = 106,
	CXCursor_ParenExpr = 111,
	CXCursor_UnaryOperator = 112,
	CXCursor_ArraySubscriptExpr = 113,
	CXCursor_BinaryOperator = 114,
	CXCursor_CompoundAssignOperator = 115,
	CXCursor_ConditionalOperator = 116,
	CXCursor_CStyleCastExpr = 117,
	CXCursor_CompoundLiteralExpr = 118,
	CXCursor_InitListExpr = 119,
	CXCursor_StmtExpr = 121,
	CXCursor_GenericSelectionExpr = 122,
	CXCursor_UnaryExpr = 136,
	CXCursor_CompoundStmt = 202,
	CXCursor_CaseStmt = 203,
	CXCursor_DefaultStmt = 204,
	CXCursor_IfStmt = 205,
	CXCursor_SwitchStmt = 206,
	CXCursor_GCCAsmStmt = 215,
	CXCursor_StaticAssert = 602,
};

enum CXTypeKind {
	CXType_Void = 2,
	CXType_Pointer = 101,
	CXType_Record = 105,
	CXType_FunctionNoProto = 110,
	CXType_FunctionProto = 111,
	CXType_ConstantArray = 112,
	CXType_IncompleteArray = 114,
	CXType_VariableArray = 115,
};

enum CXBinaryOperatorKind {
	CXBinaryOperator_LAnd = 20,
	CXBinaryOperator_LOr = 21,
	CXBinaryOperator_Assign = 22,
	CXBinaryOperator_Comma = 33,
};

enum CXUnaryOperatorKind {
	CXUnaryOperator_PostInc = 1,
	CXUnaryOperator_PostDec = 2,
	CXUnaryOperator_PreInc = 3,
	CXUnaryOperator_PreDec = 4,
	CXUnaryOperator_AddrOf = 5,
	CXUnaryOperator_Deref = 6,
	CXUnaryOperator_Real = 11,
	CXUnaryOperator_Imag = 12,
	CXUnaryOperator_Extension = 13,
};

typedef struct {
	enum CXCursorKind kind;
	int xdata;
	const void *data[3];
} CXCursor;

typedef struct {
	enum CXTypeKind kind;
	void *data[2];
} CXType;

typedef enum CXChildVisitResult (*CXCursorVisitor)(CXCursor, CXCursor, CXClientData);
typedef enum CXVisitorResult (*CXFieldVisitor)(CXCursor, CXClientData);

/* Functions for units and files. */
CXIndex clang_createIndex(int, int);
void clang_disposeIndex(CXIndex);
enum CXErrorCode clang_parseTranslationUnit2(CXIndex, const char *, const char *const *, int,
					     struct CXUnsavedFile *, unsigned int, unsigned int,
					     CXTranslationUnit *);
void clang_disposeTranslationUnit(CXTranslationUnit);
CXCursor clang_getTranslationUnitCursor(CXTranslationUnit);
CXString clang_getFileName(CXFile);
const char *clang_getFileContents(CXTranslationUnit, CXFile, size_t *);

/* Functions for messages and strings. */
unsigned int clang_getNumDiagnostics(CXTranslationUnit);
CXDiagnostic clang_getDiagnostic(CXTranslationUnit, unsigned int);
enum CXDiagnosticSeverity clang_getDiagnosticSeverity(CXDiagnostic);
CXString clang_formatDiagnostic(CXDiagnostic, unsigned int);
unsigned int clang_defaultDiagnosticDisplayOptions(void);
void clang_disposeDiagnostic(CXDiagnostic);
const char *clang_getCString(CXString);
void clang_disposeString(CXString);

/* Functions for locations. */
void clang_getExpansionLocation(CXSourceLocation, CXFile *, unsigned int *, unsigned int *,
				unsigned int *);
void clang_getSpellingLocation(CXSourceLocation, CXFile *, unsigned int *, unsigned int *,
			       unsigned int *);
CXSourceLocation clang_getRangeStart(CXSourceRange);
CXSourceLocation clang_getRangeEnd(CXSourceRange);

/* Functions for cursors. */
CXCursor clang_getNullCursor(void);
unsigned int clang_equalCursors(CXCursor, CXCursor);
enum CXCursorKind clang_getCursorKind(CXCursor);
CXString clang_getCursorSpelling(CXCursor);
CXSourceLocation clang_getCursorLocation(CXCursor);
CXSourceRange clang_getCursorExtent(CXCursor);
CXCursor clang_getCursorReferenced(CXCursor);
CXCursor clang_getCursorSemanticParent(CXCursor);
unsigned int clang_isCursorDefinition(CXCursor);
unsigned int clang_visitChildren(CXCursor, CXCursorVisitor, CXClientData);
enum CXBinaryOperatorKind clang_getCursorBinaryOperatorKind(CXCursor);
enum CXUnaryOperatorKind clang_getCursorUnaryOperatorKind(CXCursor);
CXCursor clang_Cursor_getVarDeclInitializer(CXCursor);
CXEvalResult clang_Cursor_Evaluate(CXCursor);
CXEvalResultKind clang_EvalResult_getKind(CXEvalResult);
long long clang_EvalResult_getAsLongLong(CXEvalResult);
void clang_EvalResult_dispose(CXEvalResult);

/* Functions for types. */
CXType clang_getCursorType(CXCursor);
CXString clang_getTypeSpelling(CXType);
CXType clang_getCanonicalType(CXType);
CXType clang_getPointeeType(CXType);
CXType clang_getArrayElementType(CXType);
CXCursor clang_getTypeDeclaration(CXType);
long long clang_getNumElements(CXType);
long long clang_Type_getSizeOf(CXType);
long long clang_Type_getOffsetOf(CXType, const char *);
unsigned int clang_Type_visitFields(CXType, CXFieldVisitor, CXClientData);
long long clang_Cursor_getOffsetOfField(CXCursor);
int clang_getFieldDeclBitWidth(CXCursor);

#endif /* WEFT_TESTS_LIBCLANG_H */

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes variables as C; see write-values.h. GCC takes `$` as a letter of identifiers. So $(len) is
 * a call of a macro named `$`, and a body can be compiled unchanged. If a variable has the same C
 * text at all shadows of its advice, a declaration gets that text. Otherwise a function chooses the
 * text by the shadow.
 */
#include <string.h>

#include "aspect/resolve/values.h"
#include "base/notation.h"
#include "aspect/generate/write-values.h"

/* Returns the values of advice @index; an empty struct if no values were looked up. */
static const struct wv_advice_values *values_of(const struct wv_values *values, size_t index)
{
	static const struct wv_advice_values none;

	return index < values->advices.n ? &values->advices.data[index] : &none;
}

uint32_t wv_values_registers(const struct wv_values *values, size_t index)
{
	return values_of(values, index)->registers;
}

/* Returns the prefix that the macro for this kind of variable adds to the name in brackets. */
static const char *prefix(enum wv_reference_kind kind)
{
	return kind == WV_REFERENCE_LOCAL ? "weft_local_" :
	       kind == WV_REFERENCE_FIELD ? "weft_field_" :
					"weft_symbol_";
}

/* Writes the name in brackets in a form that can be part of an identifier. */
static void write_own_name(const struct wv_value *value, struct wv_str *out)
{
	for (const char *at = value->named->name; *at; at++)
		wv_str_add_n(out, *at == '.' ? WV_PATH_DOT : at, 1);
}

static void write_name(const struct wv_value *value, struct wv_str *out)
{
	if (value->named->kind == WV_REFERENCE_OBJECT) {
		wv_str_add(out, "$obj");
	} else if (value->named->kind == WV_REFERENCE_VALUE) {
		wv_str_add(out, "$value");
	} else if (value->named->kind == WV_REFERENCE_RETURN) {
		wv_str_add(out, "$ret");
	} else {
		wv_str_add(out, prefix(value->named->kind));
		write_own_name(value, out);
	}
}

/*
 * Returns whether the variable is $return. It has no value at a hit, so no C is written for it
 * here: wv_around_write_begin() defines it as a macro.
 */
static bool is_result(const struct wv_value *value)
{
	return value->named->kind == WV_REFERENCE_RESULT;
}

static bool is_uniform(const struct wv_value *value)
{
	return value->nr_texts < 2 || is_result(value);
}

static void write_function_name(const struct wv_value *value, size_t index, struct wv_str *out)
{
	static const char *const words[] = {
		[WV_REFERENCE_LOCAL] = "local_",   [WV_REFERENCE_FIELD] = "field_",
		[WV_REFERENCE_SYMBOL] = "symbol_", [WV_REFERENCE_OBJECT] = "obj",
		[WV_REFERENCE_VALUE] = "value",	   [WV_REFERENCE_RETURN] = "ret",
		[WV_REFERENCE_RESULT] = "return",
	};

	wv_str_addf(out, "weft_find_%zu_%s", index, words[value->named->kind]);
	write_own_name(value, out);
}

const char *wv_values_result_type(const struct wv_values *values, size_t index)
{
	const struct wv_advice_values *own = values_of(values, index);

	wv_vec_for_each(value, &own->list)
		if (is_result(value) && value->cases.n)
			return value->type.text;
	return own->result.kind == WV_TYPE_INTEGER || own->result.kind == WV_TYPE_POINTER ?
		       own->result.text : "unsigned long";
}

bool wv_values_need_joinpoints(const struct wv_values *values)
{
	wv_vec_for_each(own, &values->advices)
		wv_vec_for_each(value, &own->list)
			if (!is_uniform(value))
				return true;
	return false;
}

/*
 * Writes a declaration of each struct or union that a type names, once. The declaration has no
 * members, because pointers do not need them; a body that uses members includes the header.
 */
static void write_struct_names(const struct wv_values *values, struct wv_str *out)
{
	struct wv_str written = { 0 };

	wv_vec_for_each(own, &values->advices) {
		wv_vec_for_each(value, &own->list) {
			struct wv_str line = { 0 };

			if (!value->type.tag[0] || !value->cases.n)
				continue;
			wv_str_addf(&line, "\n%s;", value->type.tag);
			if (line.data && (!written.data || !strstr(written.data, line.data)))
				wv_str_add(&written, line.data);
			wv_str_deinit(&line);
		}
	}
	if (written.n)
		wv_str_addf(out, "%s\n", written.data);
	wv_str_deinit(&written);
}

void wv_values_write_head(const struct wv_values *values, struct wv_str *out)
{
	static const char *const macros[] = {
		[WV_REFERENCE_LOCAL] = "#define $(name) weft_local_##name\n",
		[WV_REFERENCE_FIELD] = "#define $field(name) weft_field_##name\n",
		[WV_REFERENCE_SYMBOL] = "#define $sym(name) weft_symbol_##name\n",
	};
	bool any = false;

	for (size_t kind = 0; kind < sizeof(macros) / sizeof(*macros); kind++) {
		bool used = false;

		wv_vec_for_each(own, &values->advices)
			wv_vec_for_each(value, &own->list)
				used |= value->named->kind == kind;
		if (!used)
			continue;
		wv_str_add(out, any ? "" : "\n");
		wv_str_add(out, macros[kind]);
		any = true;
	}
	write_struct_names(values, out);
}

/*
 * Writes the table that has, for each joinpoint of the advice, the number of the variable's C text
 * at that joinpoint. Its index is the joinpoint's number minus the number of the advice's first
 * one.
 */
static void write_table(const struct wv_value *value, const struct wv_selection *selection,
			size_t index, struct wv_str *out)
{
	size_t first = value->cases.data[0].joinpoint;

	wv_str_addf(out, "\nstatic const %s weft_places_%zu_%zu[] = {\n",
		    value->nr_texts <= UINT8_MAX + 1u ? "u8" : "u32", index, value->table);
	wv_vec_for_each(one, &value->cases) {
		const struct wv_match *match = selection->list.data[one->joinpoint].match;

		wv_str_addf(out, "\t[%zu] = %u, /* ", one->joinpoint - first, one->text_number);
		wv_str_add_comment(out, wv_symbol_text(match->symbol, match->symbol_offset).text);
		wv_str_add(out, " */\n");
	}
	wv_str_add(out, "};\n");
}

/*
 * Writes the C function that returns the variable's value at the hit's joinpoint: a switch over the
 * number that write_table()'s table has there, with a `return TEXT;` for each number. The table has
 * no number after that of the last text, so the last text is the default case.
 */
static void write_function(const struct wv_value *value, size_t index, struct wv_str *out)
{
	size_t first = value->cases.data[0].joinpoint;
	uint32_t written = 0;

	wv_str_add(out, "\nstatic __always_inline unsigned long ");
	write_function_name(value, index, out);
	wv_str_addf(out,
		    "(const struct weft_hit *weft)\n{\n\tswitch "
		    "(weft_places_%zu_%zu[wr_joinpoint(weft, weft_joinpoints)",
		    index, value->table);
	if (first)
		wv_str_addf(out, " - %zu", first);
	wv_str_add(out, "]) {\n");
	wv_vec_for_each(one, &value->cases) {
		if (one->text_number != written)
			continue; /* an earlier joinpoint has written the same text */
		written++;
		if (written < value->nr_texts)
			wv_str_addf(out, "\tcase %u:\n", one->text_number);
		else
			wv_str_add(out, "\tdefault:\n");
		wv_str_addf(out, "\t\treturn %s;\n", one->text);
	}
	wv_str_add(out, "\t}\n}\n");
}

void wv_values_write_functions(const struct wv_values *values, const struct wv_selection *selection,
			       size_t index, struct wv_str *out)
{
	const struct wv_advice_values *own = values_of(values, index);

	wv_vec_for_each(value, &own->list) {
		if (is_uniform(value))
			continue;
		if (value == &own->list.data[value->table])
			write_table(value, selection, index, out);
		write_function(value, index, out);
	}
}

static bool is_cast(const char *text, const char *type)
{
	size_t n = strlen(type);

	return text[0] == '(' && !strncmp(text + 1, type, n) && text[n + 1] == ')';
}

void wv_values_write_declarations(const struct wv_values *values, size_t index, struct wv_str *out)
{
	wv_vec_for_each(value, &values_of(values, index)->list) {
		const struct wv_type *type = &value->type;
		bool is_struct = type->kind == WV_TYPE_STRUCT;
		bool is_integer = type->kind == WV_TYPE_INTEGER;

		if (!value->cases.n || is_result(value))
			/*
			 * The variable's type is unknown, as no shadow has the variable; or it is
			 * $return.
			 */
			continue;
		wv_str_addf(out, "\t%s%s%s", is_integer ? "const " : "", type->text,
			    is_struct ? " *const at_" : is_integer ? " " : "const ");
		write_name(value, out);
		wv_str_add(out, " = ");
		if (is_uniform(value) && is_cast(value->cases.data[0].text, type->text)) {
			wv_str_add(out, value->cases.data[0].text);
			wv_str_add(out, ";\n");
			continue;
		}
		wv_str_addf(out, "(%s%s)", type->text, is_struct ? " *" : "");
		if (is_uniform(value)) {
			wv_str_addf(out, "(%s)", value->cases.data[0].text);
		} else {
			write_function_name(value, index, out);
			wv_str_add(out, "(weft)");
		}
		wv_str_add(out, ";\n");
		if (!is_struct)
			continue;
		wv_str_add(out, "#define ");
		write_name(value, out);
		wv_str_add(out, " (*at_");
		write_name(value, out);
		wv_str_add(out, ")\n");
	}
}

void wv_values_write_end(const struct wv_values *values, size_t index, struct wv_str *out)
{
	wv_vec_for_each(value, &values_of(values, index)->list) {
		if (value->type.kind != WV_TYPE_STRUCT || !value->cases.n)
			continue;
		wv_str_add(out, "#undef ");
		write_name(value, out);
		wv_str_add(out, "\n");
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls a function and finds out whether it keeps the registers that a function must preserve. For
 * programs of one source file each: this header has the code.
 */
#ifndef CALL_WITH_MARKS_H
#define CALL_WITH_MARKS_H

/*
 * Calls @function with marks in the registers that it must preserve. @arguments are the values of
 * its six argument registers. Returns the function's result, or -1 if a mark or the stack pointer
 * has changed.
 */
long call_with_marks(void *function, const long *arguments);

asm(".text\n"
    "call_with_marks:\n"
    "		push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
    "		push %rsi\n"
    "		mov $0x1111, %rbx; mov $0x2222, %r12; mov $0x3333, %r13\n"
    "		mov $0x4444, %r14; mov $0x5555, %r15\n"
    "		mov %rdi, %rax; mov %rsi, %r10; mov %rsp, %rbp\n"
    "		mov (%r10), %rdi; mov 8(%r10), %rsi; mov 16(%r10), %rdx\n"
    "		mov 24(%r10), %rcx; mov 32(%r10), %r8; mov 40(%r10), %r9\n"
    "		call *%rax\n"
    "		cmp %rsp, %rbp; jne 1f\n"
    "		cmp $0x1111, %rbx; jne 1f\n"
    "		cmp $0x2222, %r12; jne 1f\n"
    "		cmp $0x3333, %r13; jne 1f\n"
    "		cmp $0x4444, %r14; jne 1f\n"
    "		cmp $0x5555, %r15; je 2f\n"
    "1:		mov $-1, %rax\n"
    "2:		mov %rbp, %rsp\n"
    "		pop %rsi\n"
    "		pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
    "		ret\n");

#endif /* CALL_WITH_MARKS_H */

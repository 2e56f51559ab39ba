/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions that test_trampoline.c splices. Each is `long f(long a, long b, long *c)` in
 * assembler, with one instruction of the form that its name says. This header has the code itself,
 * not declarations, so only that program may include it.
 */
#ifndef TRAMPOLINE_FUNCTIONS_H
#define TRAMPOLINE_FUNCTIONS_H

asm(".text\n"
    "case_plain:	lea (%rdi,%rsi,2), %rax\n"
    "		ret\n"
    "case_rip:	mov case_rip_data(%rip), %rax\n"
    "		add %rdi, %rax\n"
    "		ret\n"
    /* In this instruction an immediate follows the displacement from %rip. */
    "case_rip_imm:	cmpl $77, case_rip_data(%rip)\n"
    "		sete %al\n"
    "		movzbl %al, %eax\n"
    "		ret\n"
    "case_jump:	jmp 1f\n"
    "		mov $-1, %rax\n"
    "		ret\n"
    "1:		mov $5, %rax\n"
    "		ret\n"
    "case_cond_enter:	cmp %rsi, %rdi\n"
    "		jmp *(%rdx)\n" /* Jumps to the trampoline, with the flags of the compare. */
    "case_cond:	jl 1f\n"
    "		mov $1, %rax\n"
    "		ret\n"
    "1:		mov $2, %rax\n"
    "		ret\n"
    "case_call:	call callee\n"
    "		add $1000, %rax\n"
    "		ret\n"
    /*
     * Returns the distance from case_call to its own return address. It is 5 if the relocated call
     * has pushed the address after the original one.
     */
    "callee:		mov (%rsp), %rax\n"
    "		sub $case_call, %rax\n"
    "		ret\n"
    "case_call_register:	call *%rdx\n"
    "		add $2000, %rax\n"
    "		ret\n"
    "case_call_memory:	call *8(%rdx)\n"
    "		add $3000, %rax\n"
    "		ret\n"
    "case_call_rip:	call *case_pointer(%rip)\n"
    "		add $4000, %rax\n"
    "		ret\n"
    "case_displaced:	push %rbx\n" /* Seven bytes are displaced, the jl among them. */
    "		mov %edi, %ebx\n"
    "		cmp %esi, %ebx\n"
    "		jl 1f\n"
    "		mov $10, %eax\n"
    "		pop %rbx\n"
    "		ret\n"
    "1:		mov $20, %eax\n"
    "		pop %rbx\n"
    "		ret\n"
    "case_called:	call callee_sum\n"
    "		add $5000, %rax\n"
    "		ret\n"
    "reschedule:	incq %gs:32\n" /* Counts in cpu.rescheduled and keeps all registers. */
    "		ret\n"
    "callee_sum:	lea (%rdi,%rsi), %rax\n"
    "		ret\n"
    "case_ret:	ret\n"
    "		int3\n"
    "case_flags:	nop\n" /* The carry flag must be the same before and after. */
    "		setc %al\n"
    "		movzbl %al, %eax\n"
    "		ret\n"
    "enter_with_carry:	stc\n"
    "		jmp *(%rdx)\n"
    "enter_called:	call *(%rdx)\n"
    "		ret\n"
    "enter_backwards:	std\n"
    "		call *(%rdx)\n"
    "		pushfq\n"
    "		pop %rax\n"
    "		cld\n"
    "		ret\n"
    ".data\n"
    ".balign 8\n"
    "case_rip_data:	.quad 77\n"
    "case_pointer:	.quad callee_sum\n"
    ".text\n");

extern uint8_t case_plain[], case_rip[], case_rip_imm[], case_jump[], case_cond_enter[],
	case_cond[], case_call[], case_call_register[], case_call_memory[], case_call_rip[],
	callee[], callee_sum[], case_displaced[], case_called[], reschedule[], case_ret[],
	case_flags[], enter_with_carry[], enter_called[], enter_backwards[];
extern long case_rip_data, case_pointer;

typedef long (*function)(long a, long b, void *c);

#endif /* TRAMPOLINE_FUNCTIONS_H */

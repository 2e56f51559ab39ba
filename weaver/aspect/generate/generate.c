// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Generates the module's C; see generate.h. The order is that of a file written by hand: first the
 * author's code, last the tables.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "runtime/frame.h"
#include "aspect/language/advice-code.h"
#include "aspect/language/body.h"
#include "aspect/generate/generate.h"
#include "aspect/generate/guard.h"
#include "aspect/generate/tables.h"
#include "aspect/resolve/dwarf-expression.h"
#include "aspect/generate/write-advices.h"
#include "aspect/generate/write-around.h"
#include "aspect/generate/write-metrics.h"
#include "aspect/generate/write-tags.h"
#include "aspect/generate/write-values.h"
#include "aspect/language/variables.h"
#include "base/notation.h"

struct generator {
	const struct wv_aspect *aspect;
	const struct wv_selection *selection;
	const struct wv_values *values;
	const struct wv_tables *tables;
	struct wv_str *out;
};

/*
 * Writes a #line after a body that the author wrote, so that the compiler and debuggers take the
 * following lines as lines of the generated file again.
 */
static void write_line_directive(struct generator *generator)
{
	struct wv_str *out = generator->out;
	unsigned int line = 2; /* number of the line after the directive */

	for (size_t i = 0; i < out->n; i++)
		line += out->data[i] == '\n';
	wv_str_addf(out, "#line %u \"%s.c\"\n", line, generator->aspect->name);
}

static void write_head(struct generator *generator)
{
	struct wv_str *out = generator->out;

	wv_str_add(out, "/* Made by weft from ");
	wv_str_add_comment(out, wv_base_name(generator->aspect->path));
	/*
	 * Include advice.h before the author's headers: some kernel headers rely on what a module
	 * has usually included before them.
	 */
	wv_str_add(out, ": do not edit. */\n");
	wv_str_add(out, "#include \"advice.h\"\n"
			"#include \"allocation-check.h\"\n"
			"#include \"balance-check.h\"\n");
	if (wv_around_wanted(generator->aspect))
		wv_str_add(out, "#include \"around.h\"\n");
	if (generator->aspect->tags.n)
		wv_str_add(out, "#include \"tag-advice.h\"\n");
	wv_vec_for_each(include, &generator->aspect->includes)
		wv_str_addf(out, "#include <%s>\n", include->header);
	wv_str_add(out, "\nWEFT_ASPECT_BEGIN\n");
}

/*
 * Writes a #line, so that the compiler takes the following lines as lines of the XML, from @line
 * on.
 */
static void write_line_of(struct generator *generator, unsigned int line)
{
	wv_str_addf(generator->out, "#line %u ", line);
	wv_str_add_c(generator->out, wv_base_name(generator->aspect->path));
	wv_str_add(generator->out, "\n");
}

/*
 * Writes the author's C, so that the compiler's messages about it have the line numbers of the XML.
 */
static void write_code(struct generator *generator, const struct wv_aspect_code *code)
{
	write_line_of(generator, wv_body_line(code));
	wv_body_write(code, generator->out);
	write_line_directive(generator);
}

static void write_declares(struct generator *generator)
{
	wv_vec_for_each(declare, &generator->aspect->declares) {
		wv_str_add(generator->out, "\n");
		write_code(generator, declare);
	}
}

static bool keeps_tasks(const struct wv_aspect *aspect)
{
	return aspect->tasks.n || aspect->flows.n;
}

/*
 * Writes the definition of struct weft_task: what the aspect keeps for one task. Its members are
 * the aspect's task variables and, for each flow, how many of its calls the task is inside.
 */
static void write_tasks(struct generator *generator)
{
	const struct wv_aspect *aspect = generator->aspect;
	struct wv_str *out = generator->out;

	if (!keeps_tasks(aspect))
		return;
	wv_str_add(out, "\nstruct weft_task {\n");
	wv_vec_for_each(task, &aspect->tasks) {
		wv_str_add(out, "\ttypeof(\n");
		write_code(generator, &task->type);
		write_line_of(generator, task->location.line);
		wv_str_addf(out, "%*s) %s;\n", (int)task->location.column - 3, "", task->name);
		write_line_directive(generator);
	}
	if (aspect->flows.n)
		wv_str_addf(out, "\tu32 weft_flows[%zu][WEFT_CONTEXTS];\n", aspect->flows.n);
	wv_str_addf(out, "};\n\nWEFT_TASKS(%u)\n", aspect->task_bits);
}

/*
 * Sets *@joinpoints_ret and *@strings_ret to whether C that is written before the tables uses the
 * table of joinpoints, and that of strings; see write_forward().
 */
static void find_named_tables(const struct wv_aspect *aspect, const struct wv_values *values,
			      bool *joinpoints_ret, bool *strings_ret)
{
	uint64_t joinpoints = 0, strings = 0, used = 0;

	for (size_t i = 0; i < wv_nr_variables; i++) {
		if (strstr(wv_variables[i].value, "weft_joinpoints"))
			joinpoints |= WV_VARIABLE_BIT(i);
		if (strstr(wv_variables[i].value, "weft_strings"))
			strings |= WV_VARIABLE_BIT(i);
	}
	wv_vec_for_each(advice, &aspect->advices)
		used |= advice->code.variables;
	*joinpoints_ret = used & joinpoints || aspect->start.location.line ||
			  aspect->end.location.line || wv_values_need_joinpoints(values);
	*strings_ret = used & strings;
}

/*
 * Declares those tables that are used before they are defined: by a body (for $jp, $func or another
 * variable), by a start or end block, by around-advice. The definitions come after the bodies.
 */
static void write_forward(struct generator *generator)
{
	bool joinpoints, strings;

	find_named_tables(generator->aspect, generator->values, &joinpoints, &strings);
	if (joinpoints || strings)
		wv_str_add(generator->out, "\n");
	if (joinpoints)
		wv_str_addf(generator->out,
			    "static const struct weft_joinpoint weft_joinpoints[%zu];\n",
			    generator->tables->joinpoints.n);
	wv_around_write_forward(generator->selection, generator->out);
	if (strings) /* the array is longer by the NUL that C adds to the last literal */
		wv_str_addf(generator->out, "static const char weft_strings[%zu];\n",
			    generator->tables->strings.n + 1);
}

static void write_expression(void *generator, const struct wv_aspect_code *code)
{
	write_code(generator, code);
}

/*
 * Writes the body, and the bracket that closes its function. The bracket gets the line and column
 * at which the body ends in the XML: if a token is missing there, the compiler reports it at the
 * bracket.
 */
static void write_body(struct generator *generator, const struct wv_aspect_advice *advice)
{
	const struct wv_xml_text *body = &advice->code.text;
	struct wv_text_location end = wv_xml_text_location(body, body->bytes.n);

	write_line_of(generator, wv_body_line(&advice->code));
	wv_body_write(&advice->code, generator->out);
	write_line_of(generator, end.line);
	wv_str_addf(generator->out, "%*s}\n", end.column ? (int)end.column - 1 : 0, "");
	write_line_directive(generator);
}

bool wv_is_deep(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice)
{
	return aspect->stack > WV_STACK_SMALL && !advice->metric && !advice->flow &&
	       !advice->tag;
}

/*
 * Returns whether the advice has a body that the author wrote. weft generates the advice of flows,
 * tags and metrics; of these only the end of an <elapsed> may also have C of the author.
 */
static bool has_author_body(const struct wv_aspect_advice *advice)
{
	return advice->metric ? advice->ends && !wv_body_is_empty(&advice->code) :
				!advice->flow && !advice->tag;
}

/*
 * Returns whether the advice is a metric's, and the author's C in it is only expressions, without
 * declarations.
 */
static bool is_only_expressions(const struct wv_aspect_advice *advice)
{
	const struct wv_aspect_code *code;

	if (!advice->metric || has_author_body(advice))
		return false;
	for (size_t i = 0; (code = wv_metric_code(advice->metric, advice->ends, i)); i++)
		if (code->text.bytes.data && strchr(code->text.bytes.data, '{'))
			return false;
	return true;
}

static void write_advice(struct generator *generator, const struct wv_aspect_advice *advice,
			 size_t index)
{
	const bool several = wv_selection_has_several(generator->selection, index);
	struct wv_str *out = generator->out;

	if (wv_values_lack(generator->values, index)) {
		if (advice->around)
			return;
		wv_str_addf(out,
			    "\nstatic __always_inline void weft_body_%zu(const struct weft_hit "
			    "*weft)\n{\n}\nWEFT_ENTRY(%zu)\n",
			    index, index);
		return;
	}
	wv_values_write_functions(generator->values, generator->selection, index, out);
	if (advice->around) {
		wv_str_addf(out, "\nstatic __always_inline bool weft_wanted_%zu(void)\n{\n",
			    index);
		wv_write_guard(generator->aspect, advice, out);
		wv_str_add(out, "}\n");
		wv_around_write_begin(generator->values, advice, index, out);
	} else {
		wv_str_addf(out,
			    "\nstatic __always_inline void weft_body_%zu(const struct weft_hit "
			    "*weft)\n{\n",
			    index);
	}
	if (has_author_body(advice))
		wv_str_add(out, "\tWEFT_BODY_BEGIN;\n");
	if (!advice->around)
		wv_write_guard(generator->aspect, advice, out);
	for (size_t i = 0; i < wv_nr_variables; i++)
		if (advice->code.variables & WV_VARIABLE_BIT(i) &&
		    wv_variables[i].scope != WV_SCOPE_ELAPSED)
			wv_str_addf(out, "\t%s = %s;\n",
				    wv_around_declaration(advice, &wv_variables[i]).text,
				    wv_around_value(generator->values, advice, index,
						    &wv_variables[i]).text);
	wv_values_write_declarations(generator->values, index, out);
	if (advice->code.tasks.n)
		wv_str_add(out, "\tstruct weft_task *weft_task = NULL;\n");
	wv_tags_write_guard(generator->aspect, advice, write_expression, generator, out);
	wv_str_add(out, "\t{\n");
	if (advice->metric) {
		wv_metric_write_body(advice, several, write_expression, generator, out);
		if (has_author_body(advice))
			write_body(generator, advice);
		else
			wv_str_add(out, "\t}\n");
	} else if (advice->tag) {
		wv_tags_write_body(generator->aspect, advice, write_expression, generator, out);
	} else if (advice->flow) {
		wv_str_addf(out, "\tweft_%s_flow(%zu);\n\t}\n", advice->after ? "leave" : "enter",
			    advice->flow - 1);
	} else {
		/*
		 * Once-advice runs at the first hit only, where wr_first() is true. If it has a
		 * condition, it runs at the first hit that meets the condition. Then the body calls
		 * weft_first(CONDITION), which calls wr_first() after it has checked the condition.
		 */
		if (advice->once && !advice->conditional)
			wv_str_add(out, "\tif (!wr_first(weft))\n\t\treturn;\n");
		write_body(generator, advice);
	}
	wv_values_write_end(generator->values, index, out);
	if (advice->around) {
		wv_around_write_end(out);
		write_line_of(generator, advice->code.location.line);
		wv_around_write_entries(generator->selection, generator->aspect, generator->values,
					index,
					wv_is_deep(generator->aspect, advice) ?
						generator->aspect->stack : 0, out);
		write_line_directive(generator);
		return;
	}
	if (wv_is_deep(generator->aspect, advice))
		wv_str_addf(out, "}\nWEFT_DEEP_ENTRY(%zu, %llu)\n", index,
			    (unsigned long long)generator->aspect->stack);
	else
		wv_str_addf(out, "}\nWEFT_%sENTRY(%zu)\n",
			    is_only_expressions(advice) ? "METRIC_" : "", index);
}

/*
 * Writes advice for joinpoints in a program. Pointers in such advice are addresses in the process,
 * so wr_load() becomes wr_load_user() there.
 */
static void write_user_advice(struct generator *generator, const struct wv_aspect_advice *advice)
{
	wv_str_add(generator->out, "\n#define wr_load wr_load_user\n");
	write_advice(generator, advice, advice - generator->aspect->advices.data);
	wv_str_add(generator->out, "#undef wr_load\n");
}

static void write_advices(struct generator *generator)
{
	wv_vec_for_each(advice, &generator->aspect->advices) {
		if (wv_advice_is_inline(generator->aspect, advice))
			continue;
		if (generator->aspect->pointcuts.data[advice->pointcut].program)
			write_user_advice(generator, advice);
		else
			write_advice(generator, advice, advice - generator->aspect->advices.data);
	}
	wv_advices_write(generator->aspect, generator->values, generator->out);
}

static void write_block(struct generator *generator, const struct wv_aspect_code *block,
			const char *name, const char *type, const char *index, const char *last)
{
	struct wv_str *out = generator->out;

	if (!block->location.line)
		return;
	wv_str_addf(out, "\nstatic %s weft_%s_body(const struct weft_hit *weft)\n{\n\t{\n", type,
		    name);
	write_code(generator, block);
	wv_str_addf(out, "\t}\n%s}\nWEFT_BLOCK(%s, %s, %s)\n", last, type, name, index);
}

static void write_blocks(struct generator *generator)
{
	write_block(generator, &generator->aspect->start, "start", "int", "WEFT_JOINPOINT_START",
		    "\treturn 0;\n");
	write_block(generator, &generator->aspect->end, "end", "void", "WEFT_JOINPOINT_END", "");
}

/*
 * Computes a hash by FNV-1a with 64 bits. The hash only has to tell two modules of the same name
 * apart. It gives no protection: somebody could make a module that has the hash of another one.
 */
static uint64_t hash(uint64_t start, const void *bytes, size_t n)
{
	const uint64_t prime = 0x100000001b3;

	for (const uint8_t *byte = bytes; n--; byte++)
		start = (start ^ *byte) * prime;
	return start;
}

/* Writes the end of the module's last declaration, from the aspect's name on. */
static void write_end(struct generator *generator)
{
	struct wv_str *out = generator->out;

	wv_str_addf(out, "%s\"", generator->aspect->name);
	wv_str_add(out, ", .file = ");
	wv_str_add_c(out, wv_base_name(generator->aspect->path));
	if (generator->aspect->start.location.line)
		wv_str_add(out, ", .start = weft_start");
	if (generator->aspect->end.location.line)
		wv_str_add(out, ", .end = weft_end");
	if (keeps_tasks(generator->aspect))
		wv_str_addf(out, ", .task_bits = %u, .task_size = sizeof(struct weft_task)",
			    generator->aspect->task_bits);
	if (wv_around_count(generator->selection))
		wv_str_add(out, ", .arounds = weft_arounds, .nr_arounds = "
				"ARRAY_SIZE(weft_arounds)");
	wv_metrics_write_end(generator->aspect, out);
	wv_tags_write_end(generator->aspect, out);
	wv_str_add(out, ");\n");
}

static const char head[] = "\nstatic const struct weft_aspect_header weft_aspect_header __used\n"
			   "\t__section(\"" WEFT_SECTION_ASPECT "\") = {\n"
			   "\t.magic = WEFT_ASPECT_MAGIC,\n";
static const char tail[] = "};\n\nWEFT_ASPECT_END(\"";

static void write_header(struct generator *generator)
{
	const uint64_t basis = 0xcbf29ce484222325;
	const uint32_t abi = WEFT_ABI_VERSION;
	const bool filtered = generator->aspect->filtered, pending = generator->aspect->pending;
	struct wv_str *out = generator->out;
	uint64_t content;

	wv_str_addf(out, "%s\t.abi = WEFT_ABI_VERSION,\n"
			 "\t.name = \"%s\",\n\t.nr_joinpoints = ARRAY_SIZE(weft_joinpoints),\n"
			 "\t.nr_advices = ARRAY_SIZE(weft_advices),\n"
			 "\t.nr_parts = ARRAY_SIZE(weft_parts),\n",
		    head, generator->aspect->name);
	if (filtered || pending)
		wv_str_addf(out, "\t.flags = %s%s%s,\n", filtered ? "WEFT_ASPECT_FILTERED" : "",
			    filtered && pending ? " | " : "", pending ? "WEFT_ASPECT_PENDING" : "");
	if (generator->aspect->budget)
		wv_str_addf(out, "\t.budget = %lluull,\n",
			    (unsigned long long)generator->aspect->budget);
	if (generator->aspect->share)
		wv_str_addf(out, "\t.share = %uu,\n", generator->aspect->share);
	if (!out->failed) {
		content = hash(basis, &abi, sizeof(abi));
		content = hash(content, out->data, out->n);
		content = hash(content, tail, strlen(tail));
		wv_str_addf(out, "\t.content = 0x%016llx,\n", (unsigned long long)content);
	}
	wv_str_add(out, tail);
	write_end(generator);
}

static void write_note(const char *incomplete, struct wv_str *out)
{
	if (!*incomplete)
		return;
	wv_str_add(out, "\nELFNOTE32(WEFT_NOTE_OWNER, WEFT_NOTE_INCOMPLETE, ");
	wv_str_add_c(out, incomplete);
	wv_str_add(out, ");\n");
}

/* Writes all C that comes before the tables (tables.h). */
static void write_code_of_all(struct generator *generator)
{
	write_head(generator);
	write_declares(generator);
	write_tasks(generator);
	write_forward(generator);
	wv_values_write_head(generator->values, generator->out);
	wv_metrics_write_storage(generator->aspect, generator->out);
	wv_tags_write_storage(generator->aspect, generator->out);
	write_advices(generator);
	write_blocks(generator);
	wv_metrics_write_table(generator->aspect, generator->out);
	wv_tags_write_table(generator->aspect, generator->out);
}

int wv_generate(const struct wv_aspect *aspect, const struct wv_selection *selection,
		const struct wv_values *values, const char *incomplete, struct wv_str *out,
		struct wv_error *error)
{
	struct wv_tables tables;
	struct generator generator = {
		.aspect = aspect, .selection = selection, .values = values, .tables = &tables,
		.out = out,
	};
	int ret;

	if (aspect->advices.n > UINT16_MAX)
		return wv_fail(error, WV_E_ASPECT, "%s: too many advices", aspect->path);
	ret = wv_tables_make(aspect, selection, &tables, error);
	if (!ret) {
		write_code_of_all(&generator);
		wv_tables_write_strings(&tables, out);
		wv_tables_write(&tables, out);
		wv_around_write_table(selection, aspect, values, out);
		write_note(incomplete, out);
		write_header(&generator);
		if (out->failed)
			ret = wv_fail_errno(error, ENOMEM, "%s", aspect->path);
	}
	wv_tables_deinit(&tables);
	return ret;
}

bool wv_may_be_template(const struct wv_aspect *aspect, const struct wv_selection *selection,
			const struct wv_values *values)
{
	bool joinpoints, strings;

	find_named_tables(aspect, values, &joinpoints, &strings);
	return !joinpoints && !strings && !wv_around_count(selection) &&
	       aspect->advices.n <= UINT16_MAX;
}

void wv_generate_template(const struct wv_aspect *aspect, const struct wv_selection *selection,
			  const struct wv_values *values, const char *incomplete,
			  const struct wv_tables *tables, struct wv_str *out)
{
	struct generator generator = {
		.aspect = aspect, .selection = selection, .values = values, .tables = tables,
		.out = out,
	};

	write_code_of_all(&generator);
	wv_tables_write_empty(tables, out);
	write_note(incomplete, out);
	wv_str_addf(out, "%s\t.abi = WEFT_ABI_VERSION,\n%s", head, tail);
	write_end(&generator);
}

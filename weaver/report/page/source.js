// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows hits beside the lines of source, for metrics whose keys are joinpoints and for once-advice.
 * Lines whose source weft has not found are listed as FILE:LINE.
 */

const LINES_AROUND = 3;

/*
 * Returns the hits of each source line for a metric whose keys are joinpoints; null if its keys are
 * something else.
 */
function hitsOfMetric(metric, places) {
	const byShadow = new Map(places.map((place) => [place.shadow, place]));
	const lines = new Map();
	let known = 0;

	for (const row of metric.rows) {
		const place = byShadow.get(keyText(row));

		if (!place || !place.file) continue;
		known++;
		addHits(lines, place, row.count);
	}
	if (!known) return null;
	/*
	 * If the metric counts at all joinpoints of the page, those without a row were never hit.
	 */
	if (metric.shadows === places.length) {
		for (const place of places) {
			if (place.file) addHits(lines, place, 0);
		}
	}
	return [...lines.values()];
}

function addHits(lines, place, hits) {
	const name = place.file + ":" + place.line;
	const line = lines.get(name) || {file: place.file, line: place.line, hits: 0, shadows: []};

	line.hits += hits;
	line.shadows.push([place.shadow, hits]);
	lines.set(name, line);
}

function hitsOfOnce(once) {
	const lines = new Map();

	for (const joinpoint of once.joinpoints) {
		if (joinpoint.file)
			addHits(
				lines,
				{
					file: joinpoint.file,
					line: joinpoint.line,
					shadow:
						joinpoint.symbol +
						"+0x" +
						joinpoint.offset.toString(16)
				},
				joinpoint.hit ? 1 : 0
			);
	}
	return [...lines.values()];
}

/* Returns the text of a line, or undefined if the page does not have it. */
function textOf(sources, file, line) {
	for (const source of sources) {
		if (
			source.source === file &&
			line >= source.first &&
			line < source.first + source.lines.length
		)
			return source.lines[line - source.first];
	}
	return undefined;
}

/*
 * Returns the numbers of the lines of a file to show: lines with joinpoints and some lines around
 * them. null marks lines that are left out.
 */
function linesShown(sources, file, lines) {
	const numbers = new Set();
	const shown = [];

	for (const line of lines) {
		for (let n = line.line - LINES_AROUND; n <= line.line + LINES_AROUND; n++) {
			if (n === line.line || textOf(sources, file, n) !== undefined)
				numbers.add(n);
		}
	}
	for (const n of [...numbers].sort((a, b) => a - b)) {
		if (shown.length && shown.at(-1) !== n - 1) shown.push(null);
		shown.push(n);
	}
	return shown;
}

function heatOfHits(hits, most) {
	return Math.round(100 * Math.sqrt(hits / most)) + "%";
}

function hitsCell(line, column, most) {
	if (!line) return make("td", {class: "hits"});
	const title = line.shadows.map(([shadow, hits]) => `${shadow}: ${column.words(hits)}`);
	const cell = make("td", {title: title.join("\n")}, column.words(line.hits));

	cell.className = "hits " + (line.hits ? "some" : "none");
	cell.style.setProperty("--heat", heatOfHits(line.hits, most));
	return cell;
}

function breakRow(columns) {
	return make("tr", {class: "break"}, make("td", {colspan: columns}, "⋮"));
}

/*
 * Creates the source table of one file. @columns: [{head, hits, words(hits)}]; hits is a Map from
 * the number of a line to {hits, shadows}.
 */
function sourceOfFile(file, lines, sources, columns) {
	const most = Math.max(
		1,
		...columns.flatMap((column) => [...column.hits.values()].map((line) => line.hits))
	);
	const body = make("tbody");

	for (const n of linesShown(sources, file, lines)) {
		if (n === null) {
			body.append(breakRow(columns.length + 2));
			continue;
		}
		const row = make("tr", null, make("td", {class: "number"}, String(n)));

		row.append(...columns.map((column) => hitsCell(column.hits.get(n), column, most)));
		const here = Math.max(0, ...columns.map((column) => column.hits.get(n)?.hits || 0));

		if (here) {
			row.className = "hit";
			row.style.setProperty("--heat", heatOfHits(here, most));
		}
		row.append(make("td", {class: "code"}, textOf(sources, file, n) ?? ""));
		body.append(row);
	}
	const heads = ["line", ...columns.map((column) => column.head), ["source", "code"]];

	return make(
		"div",
		{class: "source"},
		make("h4", null, file),
		scrolled(file, make("table", null, tableHead(heads), body))
	);
}

/*
 * Creates the source tables of all files. @columns: [{head, lines, words}]; lines is what
 * hitsOfMetric() returns.
 */
function annotatedSource(title, columns, sources) {
	const files = new Map();

	for (const column of columns) {
		for (const line of column.lines) {
			if (!files.has(line.file))
				files.set(line.file, {lines: new Map(), hits: 0});
			files.get(line.file).lines.set(line.line, line);
			files.get(line.file).hits += line.hits;
		}
	}
	const holder = make("div", null, make("h3", null, title));

	if (![...files.keys()].some((file) => sources.some((source) => source.source === file)))
		holder.append(
			make(
				"p",
				{class: "note"},
				"No source was found: lines are listed by " + "their numbers."
			)
		);
	for (const [file, {lines}] of [...files].sort((a, b) => b[1].hits - a[1].hits)) {
		holder.append(
			sourceOfFile(
				file,
				[...lines.values()],
				sources,
				columns.map((column) => ({
					head: column.head,
					words: column.words,
					hits: new Map(
						column.lines
							.filter((line) => line.file === file)
							.map((line) => [line.line, line])
					)
				}))
			)
		);
	}
	return holder;
}

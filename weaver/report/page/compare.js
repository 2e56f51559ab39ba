// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares two reports side by side: files that weft has written with --json. */

const COMPARED = ["count", "sum", "mean", "average", "p50", "p99", "min", "max"];
const COMPARED_CARDS = 12;

function readCompared(file) {
	try {
		return {name: file.compared, ...sortObjects(parseLines(file.text))};
	} catch (error) {
		return {
			name: file.compared,
			error: String(error),
			metrics: [],
			once: [],
			places: [],
			sources: []
		};
	}
}

/*
 * Returns the change from @a to @b as text, such as "+12 %", and as a number of per cent for
 * sorting.
 */
function change(a, b) {
	if (a === b) return ["=", 0];
	if (!a) return ["new", Infinity];
	const value = (100 * (b - a)) / Math.abs(a);

	return [
		(value > 0 ? "+" : "−") +
			(Math.abs(value) < 10
				? Math.abs(value).toFixed(1)
				: grouped(Math.abs(value))) +
			" %",
		value
	];
}

function unitOf(metric, name) {
	return name === "count" || name === "average"
		? ""
		: metric.type === "concurrency"
			? "ns"
			: metric.unit;
}

function rowPairs(a, b) {
	const pairs = new Map();

	for (const row of a ? a.rows : []) pairs.set(keyText(row), [row, undefined]);
	for (const row of b ? b.rows : []) {
		const pair = pairs.get(keyText(row)) || [undefined, undefined];

		pair[1] = row;
		pairs.set(keyText(row), pair);
	}
	return [...pairs].map(([key, pair]) => ({key, a: pair[0], b: pair[1]}));
}

function comparedTable(metric, pairs) {
	const names = COMPARED.filter((name) =>
		pairs.some((pair) =>
			[pair.a, pair.b].some((row) => row && typeof row[name] === "number")
		)
	);
	const columns = [[metric.by || "key", (pair) => pair.key]];

	for (const name of names) {
		const value = (row) =>
			row && typeof row[name] === "number"
				? [inWords(row[name], unitOf(metric, name)), row[name]]
				: "";

		columns.push(
			[name + " A", (pair) => value(pair.a)],
			[name + " B", (pair) => value(pair.b)],
			[
				"change",
				(pair) => {
					if (!pair.a || !pair.b)
						return [
							pair.a ? "gone" : "new",
							pair.a ? -Infinity : Infinity
						];
					if (
						typeof pair.a[name] !== "number" ||
						typeof pair.b[name] !== "number"
					)
						return "";
					const [words, by] = change(pair.a[name], pair.b[name]);

					return [
						words,
						by,
						by > 5 ? "more" : by < -5 ? "less" : undefined
					];
				}
			]
		);
	}
	return newTable(columns, pairs, "keys");
}

function comparedHistogram(metric, pair, bars, height) {
	const counts = barCounts(bars, pair.b ? pair.b.buckets : []);
	const other = barCounts(bars, pair.a ? pair.a.buckets : []);
	const most =
		1.08 *
		Math.max(
			d3.max(counts) / (d3.sum(counts) || 1),
			d3.max(other) / (d3.sum(other) || 1)
		);

	return figure(
		null,
		`${pair.key}: histograms of A and of B; arrow keys read the bars`,
		height,
		(svg, width) =>
			drawHistogram(svg, width, height, {
				bars,
				counts,
				other,
				unit: metric.unit,
				most,
				names: ["B", "A"]
			})
	);
}

function comparedHistograms(metric, a, b, pairs) {
	const rows = [...(a ? a.rows : []), ...(b ? b.rows : [])];
	const bars = barsFor(addBuckets(rows));
	const holder = make(
		"div",
		null,
		make(
			"p",
			{class: "note"},
			"Bars are B, the line is A; shares are of each one's own hits."
		)
	);
	const cost = (pair) =>
		Math.max(pair.a ? costOf(metric, pair.a) : 0, pair.b ? costOf(metric, pair.b) : 0);

	holder.append(
		comparedHistogram(
			metric,
			{
				key: "all",
				a: a && {buckets: addBuckets(a.rows)},
				b: b && {buckets: addBuckets(b.rows)}
			},
			bars,
			200
		)
	);
	if (pairs.length > 1)
		holder.append(
			make(
				"div",
				{class: "cards"},
				...[...pairs]
					.sort((one, two) => cost(two) - cost(one))
					.slice(0, COMPARED_CARDS)
					.map((pair) =>
						make(
							"article",
							{class: "card"},
							make("h4", {title: pair.key}, pair.key),
							comparedHistogram(metric, pair, bars, 120)
						)
					)
			)
		);
	return holder;
}

function comparedMetric(a, b, files) {
	const metric = b || a,
		pairs = rowPairs(a, b);
	const cost = (pair) =>
		Math.max(pair.a ? costOf(metric, pair.a) : 0, pair.b ? costOf(metric, pair.b) : 0);
	const section = make(
		"section",
		{class: "metric", id: newId()},
		make("h2", null, metric.metric)
	);

	pairs.sort((one, two) => cost(two) - cost(one));
	section.append(
		make(
			"p",
			{class: "note"},
			[
				metric.type,
				metric.value && "of " + metric.value,
				a && `A ${secondsInWords(a.woven_ns / 1e9)} woven`,
				b && `B ${secondsInWords(b.woven_ns / 1e9)} woven`
			]
				.filter(Boolean)
				.join("; ")
		)
	);
	if (!a || !b) section.append(make("p", {class: "lost"}, `only in ${a ? "A" : "B"}`));
	if (hasPlots && pairs.some((pair) => [pair.a, pair.b].some((row) => row && row.buckets)))
		section.append(comparedHistograms(metric, a, b, pairs));
	const lines = [a, b].map((one, i) => one && hitsOfMetric(one, files[i].places));

	if (lines.some(Boolean))
		section.append(
			annotatedSource(
				"Hits by line",
				["A", "B"].map((head, i) => ({
					head,
					lines: lines[i] || [],
					words: grouped
				})),
				[...files[0].sources, ...files[1].sources]
			)
		);
	section.append(comparedTable(metric, pairs));
	return section;
}

/* Creates the section that compares which lines once-advice has run at. */
function comparedCoverage(files) {
	const columns = files.map((file, i) => ({
		head: "AB"[i],
		words: (hits) => (hits ? "✓" : "never"),
		lines: file.once.flatMap(hitsOfOnce)
	}));

	return make(
		"section",
		{id: newId()},
		make("h2", null, "Once"),
		annotatedSource("Coverage by line", columns, [])
	);
}

function startCompare(holder, compared) {
	const files = compared.map(readCompared);
	const names = [...new Set(files.flatMap((file) => file.metrics.map((m) => m.metric)))];

	for (const [i, file] of files.entries()) {
		if (file.error)
			holder.append(
				make(
					"p",
					{class: "lost"},
					`${file.name} cannot be read: ${file.error}`
				)
			);
		else if (!file.metrics.length)
			holder.append(
				make(
					"p",
					{class: "lost"},
					`${"AB"[i]}, ${file.name}, has no ` + "metrics"
				)
			);
	}
	for (const name of names)
		holder.append(
			comparedMetric(
				...files.map((file) =>
					file.metrics.find((metric) => metric.metric === name)
				),
				files
			)
		);
	if (files.some((file) => file.once.length)) holder.append(comparedCoverage(files));
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts the script: adds plots to the page that weft has written, and makes its tables sortable
 * and searchable.
 */

let data = {};

function readData() {
	data = sortObjects(parseLines(document.getElementById("weft-data").textContent));
}

/* ---- showing a metric ------------------------------------------------------------------------ */

function totals(metric) {
	const buckets = addBuckets(allRows(metric)),
		{unit} = metric;
	const hits = allRows(metric).reduce((sum, row) => sum + row.count, 0);
	const tiles = [["hits", grouped(hits)]];

	if (metric.rows.length > 1) tiles.push(["keys", grouped(metric.rows.length)]);
	if (metric.woven_ns)
		tiles.push([
			"a second",
			brief(Number((hits / (metric.woven_ns / 1e9)).toPrecision(3)))
		]);
	if (costName(metric) !== "hits")
		tiles.push([
			metric.type === "sum" ? "sum" : "time in all",
			inWords(totalCost(metric), unit)
		]);
	if (countOf(buckets)) {
		for (const [name, part] of [
			["p50", 0.5],
			["p90", 0.9],
			["p99", 0.99]
		])
			tiles.push([name, inWords(percentileOf(buckets, part), unit)]);
	}
	return make(
		"dl",
		{class: "tiles"},
		...tiles.map(([name, value]) =>
			make("div", null, make("dt", null, name), make("dd", null, value))
		)
	);
}

function plotsOf(metric, samples) {
	const figures = make("div", {class: "figures"});
	const plots = make("div", {class: "plots"}, totals(metric));
	const stacks = stacksOfMetric(metric),
		lines = hitsOfMetric(metric, data.places);
	const cost = {
		name: costName(metric),
		words: (value) =>
			costName(metric) === "hits" ? grouped(value) : inWords(value, metric.unit)
	};
	const histogram = metric.rows.some((row) => row.buckets && row.buckets.length);

	if (hasPlots) {
		if (histogram) figures.append(wholeHistogram(metric));
		if (samples && samples.heat && samples.heat.length)
			figures.append(heatMap(metric, samples));
		if (samples && samples.keys.length) figures.append(rateLines(metric, samples));
		plots.append(figures);
		if (stacks.length) plots.append(icicle(stacks, cost));
		if (histogram && metric.rows.length > 1 && !stacks.length)
			plots.append(keyHistograms(metric));
	}
	if (lines)
		plots.append(
			annotatedSource(
				"Hits by line",
				[{head: "hits", lines, words: grouped}],
				data.sources
			)
		);
	return plots;
}

/* Sorts a table by the last column, if that is the share. */
function sortByCost(table) {
	if (
		table &&
		table.tHead.rows[0].cells.length > 1 &&
		table.tBodies[0].querySelector("td.share")
	)
		sortRows(table, table.tHead.rows[0].cells.length - 1, -1);
}

function startMetrics() {
	for (const [i, metric] of data.metrics.entries()) {
		const section = document.getElementById("metric" + i);
		const holder = section && section.querySelector(".plots");

		if (!holder || !metric.rows.length) continue;
		sortByCost(section.querySelector("table.rows"));
		holder.replaceWith(
			plotsOf(
				metric,
				data.samples.find((one) => one.samples === i)
			)
		);
	}
}

/* ---- showing records and coverage ------------------------------------------------------------ */

function startRecords() {
	const holder = document.getElementById("records");

	if (!holder || !data.records.length) return;
	const stacks = stacksOfRecords(data.records);
	const plain = data.records.filter(
		(record) => !stacks.length || !/^\d+ hits?(\n|$)/.test(record.text)
	);
	const first = plain.length ? plain[0].time_ns : 0;

	if (stacks.length && hasPlots)
		holder.append(icicle(stacks, {name: "hits", words: grouped}));
	if (plain.length)
		holder.append(
			newTable(
				[
					[
						"since the first",
						(r) => [inWords(r.time_ns - first, "ns"), r.time_ns]
					],
					["cpu", (r) => String(r.cpu)],
					["task", (r) => `${r.comm}-${r.tid}`],
					[
						"where",
						(r) => (r.file ? `${r.file}:${r.line}` : r.symbol)
					],
					["text", (r) => [r.text, undefined, "text"]]
				],
				plain,
				"records",
				true
			)
		);
}

/* ---- showing a drill ------------------------------------------------------------------------- */

function placeOf(call) {
	return (
		(call.file ? `${call.file}:${call.line}` : call.site || "") +
		(call.inlined ? ` in ${call.inlined}` : "") +
		(call.pointer ? ", by a pointer" : "")
	);
}

function callTable(drill) {
	const whole = drill.calls[0].wall_ns;
	const time = (key) => (call) =>
		key in call ? [inWords(call[key], "ns"), call[key]] : ["", 0];

	return newTable(
		[
			["call", (call) => "\u00a0\u00a0".repeat(call.level) + call.function],
			["where", placeOf],
			["wall", time("wall_ns")],
			["on a CPU", time("cpu_ns")],
			["itself", time("self_wall_ns")],
			["itself, on a CPU", time("self_cpu_ns")],
			["count", (call) => [grouped(call.count), call.count]],
			["share", (call) => [percent(call.wall_ns, whole), call.share]]
		],
		drill.calls,
		"calls",
		true
	);
}

function startDrill() {
	const holder = document.getElementById("drill");

	for (const drill of holder ? data.drills : []) {
		const stacks = stacksOfDrill(drill);
		const time = {name: "time", words: (value) => inWords(value, "ns")};

		if (stacks.length && hasPlots)
			holder.append(icicle(stacks, time, "Calls: where the time goes"));
		holder.append(callTable(drill));
		for (const site of drill.untimed)
			holder.append(
				make(
					"p",
					{class: "note"},
					"not timed: " +
						(site.function || "a pointer's function") +
						` at ${site.site}: ${site.reason}`
				)
			);
	}
}

function startOnce() {
	const holder = document.getElementById("once");

	for (const once of holder ? data.once : [])
		holder.querySelector(".scroll").before(
			annotatedSource(
				"Coverage by line",
				[
					{
						head: "hit",
						lines: hitsOfOnce(once),
						words: (hits) => (hits ? "✓" : "never")
					}
				],
				data.sources
			)
		);
}

/* ---- starting the whole page ----------------------------------------------------------------- */

/* Adds the button for the theme: light, dark, or as the system has it. */
function startTheme() {
	const button = make("button", {type: "button", class: "theme"});
	const themes = ["auto", "light", "dark"];
	let now = 0;

	function apply() {
		if (now) document.documentElement.dataset.theme = themes[now];
		else delete document.documentElement.dataset.theme;
		button.textContent = "theme: " + themes[now];
	}
	button.addEventListener("click", () => {
		now = (now + 1) % themes.length;
		apply();
	});
	apply();
	document.querySelector("header").append(button);
}

function startContents() {
	const sections = [...document.querySelectorAll("main section")];
	const links = sections.map((section) => {
		section.id = section.id || newId();
		return make(
			"li",
			null,
			make("a", {href: "#" + section.id}, section.querySelector("h2").textContent)
		);
	});

	if (links.length > 2)
		document.querySelector("header").after(
			make("nav", {"aria-label": "contents"}, make("ul", null, ...links))
		);
}

/*
 * Adds a column to the table of joinpoints: how often each was hit, if a metric has counted that.
 */
function addHitsToPlaces() {
	const table = document.querySelector("header table.rows");
	const shadows = new Set(data.places.map((place) => place.shadow));
	const counting = data.metrics.find(
		(metric) =>
			metric.rows.length && metric.rows.every((row) => shadows.has(keyText(row)))
	);

	if (!table || !counting) return;
	const hits = new Map(counting.rows.map((row) => [keyText(row), row.count]));

	table.tHead.rows[0].append(make("th", {scope: "col"}, "hits"));
	for (const row of table.tBodies[0].rows) {
		const count = hits.get(row.cells[2].textContent) || 0;

		row.append(make("td", {"data-v": count}, grouped(count)));
	}
}

/*
 * Adds plots and everything else that the script makes to the content that weft has written. Called
 * once, and on a live page after each renewal.
 */
function show() {
	const main = document.querySelector("main");

	readData();
	addHitsToPlaces();
	for (const table of document.querySelectorAll("table.rows"))
		enhanceTable(table, table.dataset.what || "rows");
	if (data.compared.length) startCompare(main, data.compared);
	startMetrics();
	startDrill();
	startRecords();
	startOnce();
	if (!hasPlots)
		main.prepend(
			make(
				"p",
				{class: "lost"},
				"No plots: this weft was built where npm, which " +
					"fetches the plotting library, was missing."
			)
		);
	startContents();
}

function start() {
	document.body.append(readout, spoken);
	show();
	startTheme();
	if (document.documentElement.dataset.live) startLive(show);
	document.documentElement.dataset.started = "yes";
}

start();

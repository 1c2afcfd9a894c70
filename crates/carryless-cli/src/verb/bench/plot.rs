//! Time a byte over length as SVG: a panel for each thing measured, a line for each who did it, both axes
//! logarithmic. `xtask` has this file too, for the plot of docs/performance.md.

use core::fmt::Write;

use super::axes::{Axes, CELL, MARGIN};

/// A figure of one or more panels with one legend.
pub struct Plot {
    pub title: String,
    /// What the upward axis counts, per byte.
    pub unit: String,
    pub panels: Vec<Panel>,
    /// Sentences below it.
    pub notes: Vec<String>,
}

/// What is comparable.
pub struct Panel {
    pub title: String,
    pub lines: Vec<Line>,
    pub bounds: Vec<Bound>,
}

/// One who was measured; the same name has the same colour in all panels.
pub struct Line {
    pub name: String,
    /// Length in bytes, 1 or more, and units a byte.
    pub points: Vec<(f64, f64)>,
}

/// A level that no line can be below.
pub struct Bound {
    pub label: String,
    pub level: f64,
}

/// Distinct on white for most eyes; those that look alike differ in their dashes.
const COLOURS: [&str; 8] = [
    "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#8c6d00", "#7b3294", "#555555",
];
const DASHES: [&str; 3] = ["none", "6 3", "2 2"];

const COLUMNS: usize = 2;
const HEAD: f64 = 30.0;
const LEGEND: (f64, f64) = (160.0, 18.0);
const NOTE: f64 = 16.0;

impl Plot {
    /// The figure as a file.
    pub fn svg(&self) -> String {
        let names = self.names();
        let columns = self.panels.len().clamp(1, COLUMNS);
        let rows = self.panels.len().div_ceil(columns);
        let width = CELL.0 * float(columns);
        let legend_columns = whole(width / LEGEND.0).max(1);
        let legend_at = HEAD + CELL.1 * float(rows);
        let notes_at = legend_at + LEGEND.1 * float(names.len().div_ceil(legend_columns)) + NOTE;
        let notes = self.wrapped(whole(width / 6.2));
        let height = notes_at + NOTE * float(notes.len());

        let mut svg = Svg::new(width, height);
        svg.text(
            10.0,
            20.0,
            "font-size=\"15\" font-weight=\"bold\"",
            &self.title,
        );
        let axes = Axes::around(&self.panels);
        for (i, panel) in self.panels.iter().enumerate() {
            let (left, top) = (
                CELL.0 * float(i % columns),
                HEAD + CELL.1 * float(i / columns),
            );
            svg.panel(panel, &axes.at(left, top), &self.unit, &names);
        }
        for (i, name) in names.iter().enumerate() {
            let x = 20.0 + LEGEND.0 * float(i % legend_columns);
            let y = legend_at + LEGEND.1 * (float(i / legend_columns) + 0.5);
            let style = style(i);
            svg.add(format_args!(
                "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" {style}/>",
                x + 26.0
            ));
            svg.text(x + 32.0, y + 4.0, "", name);
        }
        for (i, note) in notes.iter().enumerate() {
            svg.text(10.0, notes_at + NOTE * float(i), "fill=\"#444\"", note);
        }
        svg.end()
    }

    /// All names, in the order in which they first appear.
    fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for line in self.panels.iter().flat_map(|panel| &panel.lines) {
            if !names.contains(&line.name.as_str()) {
                names.push(&line.name);
            }
        }
        names
    }

    /// The notes in rows of so many characters.
    fn wrapped(&self, columns: usize) -> Vec<String> {
        let mut rows = Vec::new();
        for note in &self.notes {
            let mut row = String::new();
            for word in note.split_whitespace() {
                if !row.is_empty() && row.chars().count() + 1 + word.chars().count() > columns {
                    rows.push(core::mem::take(&mut row));
                }
                if !row.is_empty() {
                    row.push(' ');
                }
                row.push_str(word);
            }
            rows.push(row);
        }
        rows
    }
}

/// A file that is being written.
struct Svg(String);

impl Svg {
    fn new(width: f64, height: f64) -> Self {
        let mut svg = Self(String::new());
        svg.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"11\">"
        ));
        svg.add(format_args!(
            "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
        ));
        svg
    }

    fn add(&mut self, element: core::fmt::Arguments<'_>) {
        // Writing to a string can't fail.
        let _ = writeln!(self.0, "{element}");
    }

    fn text(&mut self, x: f64, y: f64, style: &str, text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{text}</text>"
        ));
    }

    fn panel(&mut self, panel: &Panel, axes: &Axes, unit: &str, names: &[&str]) {
        self.text(
            axes.left + MARGIN.0,
            axes.top + 22.0,
            "font-size=\"13\" font-weight=\"bold\"",
            &panel.title,
        );
        self.grid(axes, unit);
        for bound in &panel.bounds {
            let (y, from, to) = (axes.y_of(bound.level), axes.left + MARGIN.0, axes.right());
            self.add(format_args!(
                "<line class=\"bound\" x1=\"{from:.1}\" y1=\"{y:.1}\" x2=\"{to:.1}\" y2=\"{y:.1}\" stroke=\"#000\" stroke-dasharray=\"8 4\"/>"
            ));
            self.text(from + 4.0, y - 3.0, "", &bound.label);
        }
        for line in &panel.lines {
            let place = names.iter().position(|name| *name == line.name);
            self.line(line, axes, &style(place.unwrap_or(0)));
        }
    }

    fn grid(&mut self, axes: &Axes, unit: &str) {
        let (left, right) = (axes.left + MARGIN.0, axes.right());
        let (top, bottom) = (axes.top + MARGIN.1, axes.bottom());
        for tick in axes.x_ticks() {
            let x = axes.x_of(tick);
            self.add(format_args!(
                "<path d=\"M{x:.1} {top:.1}V{bottom:.1}\" stroke=\"#e4e4e4\"/>"
            ));
            self.text(x, bottom + 14.0, "text-anchor=\"middle\"", &length(tick));
        }
        for tick in axes.y_ticks() {
            let y = axes.y_of(tick);
            self.add(format_args!(
                "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#e4e4e4\"/>"
            ));
            // A sum of a digit and a power of ten is not always that number to the last bit.
            let label = format!("{:.6}", tick);
            let label = label.trim_end_matches('0').trim_end_matches('.');
            self.text(left - 5.0, y + 4.0, "text-anchor=\"end\"", label);
        }
        self.add(format_args!(
            "<path d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\" fill=\"none\" stroke=\"#444\"/>"
        ));
        let (x, y) = (axes.left + 14.0, (top + bottom) / 2.0);
        let turned = format!("text-anchor=\"middle\" transform=\"rotate(-90 {x:.1} {y:.1})\"");
        self.text(x, y, &turned, unit);
        self.text(
            (left + right) / 2.0,
            bottom + 28.0,
            "text-anchor=\"middle\"",
            "bytes",
        );
    }

    fn line(&mut self, line: &Line, axes: &Axes, style: &str) {
        let known = |point: &&(f64, f64)| point.0 >= 1.0 && point.1 > 0.0;
        let places = line.points.iter().filter(known);
        let mut places: Vec<String> = places
            .map(|point| format!("{:.1},{:.1}", axes.x_of(point.0), axes.y_of(point.1)))
            .collect();
        // A line from a point to itself is a dot.
        if let [only] = places.as_slice() {
            places.push(only.clone());
        }
        self.add(format_args!(
            "<polyline fill=\"none\" {style} points=\"{}\"><title>{}</title></polyline>",
            places.join(" "),
            escaped(&line.name)
        ));
    }

    fn end(mut self) -> String {
        self.add(format_args!("</svg>"));
        self.0
    }
}

/// How the line of the name with this number looks; the first stands out.
fn style(number: usize) -> String {
    let width = if number == 0 { 2.6 } else { 1.5 };
    let colour = COLOURS[number % COLOURS.len()];
    let dash = DASHES[number / COLOURS.len() % DASHES.len()];
    format!(
        "stroke=\"{colour}\" stroke-width=\"{width}\" stroke-dasharray=\"{dash}\" stroke-linejoin=\"round\" stroke-linecap=\"round\""
    )
}

fn length(bytes: f64) -> String {
    let scaled = [(30, " Gi"), (20, " Mi"), (10, " Ki")];
    let found = scaled
        .into_iter()
        .find(|(power, _)| bytes >= 2f64.powi(*power));
    found.map_or_else(
        || format!("{bytes}"),
        |(power, unit)| format!("{}{unit}", bytes / 2f64.powi(power)),
    )
}

/// Text as XML has it; control characters, which it can't have, are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[expect(clippy::cast_precision_loss, reason = "counts of lines and panels")]
const fn float(count: usize) -> f64 {
    count as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "how often a width fits"
)]
const fn whole(count: f64) -> usize {
    count as usize
}

#[cfg(test)]
mod tests {
    use super::{Bound, Line, Panel, Plot};

    fn plot(lines: &[(&str, &[(f64, f64)])]) -> Plot {
        let lines = lines.iter().map(|(name, points)| Line {
            name: (*name).into(),
            points: points.to_vec(),
        });
        Plot {
            title: "a <title> & more".into(),
            unit: "cycles per byte".into(),
            panels: vec![Panel {
                title: "a panel".into(),
                lines: lines.collect(),
                bounds: vec![Bound {
                    label: "0.25, a bound".into(),
                    level: 0.25,
                }],
            }],
            notes: vec!["word ".repeat(100)],
        }
    }

    /// The places of the first line: pairs of numbers.
    fn places(svg: &str) -> Vec<(f64, f64)> {
        let (_, rest) = svg.split_once("points=\"").expect("a line");
        let (points, _) = rest.split_once('"').expect("an end");
        let pair = |point: &str| {
            let (x, y) = point.split_once(',').expect("a pair");
            (x.parse().expect("a number"), y.parse().expect("a number"))
        };
        points.split_whitespace().map(pair).collect()
    }

    #[test]
    fn equal_factors_are_equal_distances() {
        let svg = plot(&[("one", &[(16.0, 4.0), (64.0, 1.0), (256.0, 0.25)])]).svg();
        let places = places(&svg);
        let step = |i: usize| {
            let ((x, y), (next_x, next_y)) = (places[i], places[i + 1]);
            (next_x - x, next_y - y)
        };
        let (first, second) = (step(0), step(1));
        // Places have one digit behind the point.
        assert!(
            (first.0 - second.0).abs() < 0.25 && (first.1 - second.1).abs() < 0.25,
            "{svg}"
        );
        assert!(
            first.0 > 0.0 && first.1 > 0.0,
            "to the right and down: {svg}"
        );
    }

    #[test]
    fn what_has_no_logarithm_is_left_out() {
        let svg = plot(&[("one", &[(0.0, 9.0), (16.0, 4.0), (32.0, f64::NAN)])]).svg();
        let places = places(&svg);
        assert!(places.len() == 2 && places[0] == places[1], "a dot: {svg}");
        assert!(plot(&[]).svg().contains("</svg>"));
    }

    #[test]
    fn names_and_titles_are_escaped() {
        let svg = plot(&[("<one> & \"two\"\u{7}", &[(16.0, 4.0)])]).svg();
        assert!(svg.contains("&lt;one&gt; &amp; &quot;two&quot;<"), "{svg}");
        assert!(svg.contains("a &lt;title&gt; &amp; more"));
    }

    #[test]
    fn long_notes_are_cut_between_words() {
        let svg = plot(&[]).svg();
        assert!(svg.matches(">word word").count() > 1, "{svg}");
    }
}

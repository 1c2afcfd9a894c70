//! Where a plot's values lie in its panels. `xtask` has this file too.

use super::plot::Panel;

/// Width and height of a panel.
pub const CELL: (f64, f64) = (480.0, 330.0);
/// Around the axes of a panel: left, top, right, bottom.
pub const MARGIN: (f64, f64, f64, f64) = (52.0, 34.0, 14.0, 34.0);

/// The ranges of a plot, and where a panel has them.
#[derive(Clone)]
pub struct Axes {
    /// Logarithms of the least and the greatest.
    x: (f64, f64),
    y: (f64, f64),
    pub left: f64,
    pub top: f64,
}

impl Axes {
    /// The same for all panels, so that they can be compared.
    pub fn around(panels: &[Panel]) -> Self {
        let points = || {
            let lines = panels.iter().flat_map(|panel| &panel.lines);
            lines.flat_map(|line| line.points.iter().copied())
        };
        let levels = panels.iter().flat_map(|panel| &panel.bounds);
        let range = |values: &mut dyn Iterator<Item = f64>| {
            let finite = values.filter(|value| value.is_finite() && *value > 0.0);
            let (low, high) = finite.fold((f64::MAX, f64::MIN), |(low, high), value| {
                (low.min(value), high.max(value))
            });
            if low > high { (1.0, 10.0) } else { (low, high) }
        };
        let x = range(&mut points().map(|point| point.0));
        let y = range(
            &mut points()
                .map(|point| point.1)
                .chain(levels.map(|bound| bound.level)),
        );
        Self {
            x: (x.0.ln(), x.1.max(x.0 * 2.0).ln()),
            y: ((y.0 * 0.8).ln(), (y.1.max(y.0 * 2.0) * 1.2).ln()),
            left: 0.0,
            top: 0.0,
        }
    }

    pub fn at(&self, left: f64, top: f64) -> Self {
        Self {
            left,
            top,
            ..self.clone()
        }
    }

    pub fn right(&self) -> f64 {
        self.left + CELL.0 - MARGIN.2
    }

    pub fn bottom(&self) -> f64 {
        self.top + CELL.1 - MARGIN.3
    }

    pub fn x_of(&self, value: f64) -> f64 {
        let from = self.left + MARGIN.0;
        from + (value.ln() - self.x.0) / (self.x.1 - self.x.0) * (self.right() - from)
    }

    pub fn y_of(&self, value: f64) -> f64 {
        let from = self.top + MARGIN.1;
        self.bottom() - (value.ln() - self.y.0) / (self.y.1 - self.y.0) * (self.bottom() - from)
    }

    /// Powers of four: lengths.
    pub fn x_ticks(&self) -> impl Iterator<Item = f64> {
        let (low, high) = (self.x.0.exp() * 0.999, self.x.1.exp() * 1.001);
        (0..16)
            .map(|power| 4f64.powi(power))
            .filter(move |tick| (low..high).contains(tick))
    }

    /// One, two and five times powers of ten.
    pub fn y_ticks(&self) -> impl Iterator<Item = f64> {
        let (low, high) = (self.y.0.exp(), self.y.1.exp());
        (-6..9)
            .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
            .filter(move |tick| (low..high).contains(tick))
    }
}

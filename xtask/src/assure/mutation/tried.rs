//! The changes of an area, made one after the other, and what became of them.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use super::places::Place;
use super::survivors::Reasons;
use super::tree::{Fate, Program, Stage, Tree};
use super::{Area, Programs, Step};

/// What became of the changes of an area.
#[derive(Default)]
pub(super) struct Tried {
    killed: usize,
    unviable: usize,
    survivors: Vec<Place>,
    /// For which there was no time.
    left: usize,
}

impl Tried {
    pub(super) fn of(
        area: &Area,
        places: Vec<Place>,
        cores: usize,
        deadline: Option<Instant>,
    ) -> Result<Self, String> {
        if places.is_empty() {
            return Ok(Self::default());
        }
        let cores = cores.min(places.len());
        let queue = Mutex::new(VecDeque::from(places));
        let workers = thread::scope(|scope| {
            let spawn = |core| {
                let queue = &queue;
                scope.spawn(move || work(area, &format!("tree-{core}"), queue, deadline))
            };
            let workers: Vec<_> = (0..cores).map(spawn).collect();
            let joined = workers.into_iter().map(|worker| worker.join());
            joined.collect::<Vec<_>>()
        });
        let mut tried = Self::default();
        for worker in workers {
            let part = worker.map_err(|_| "a thread panicked")??;
            tried.killed += part.killed;
            tried.unviable += part.unviable;
            tried.survivors.extend(part.survivors);
        }
        tried.left = queue.into_inner().map_or(0, |queue| queue.len());
        tried.survivors.sort_unstable_by_key(Place::name);
        Ok(tried)
    }

    /// Those that nobody has explained.
    pub(super) fn unexplained<'t>(
        &'t self,
        reasons: &'t Reasons,
    ) -> impl Iterator<Item = &'t Place> {
        self.survivors
            .iter()
            .filter(|place| !reasons.contains_key(&place.key()))
    }

    pub(super) fn lines(&self, name: &str, reasons: &Reasons) -> Vec<String> {
        let alive = self.unexplained(reasons).count();
        let harmless = self.survivors.len() - alive;
        let tenths = 1000 * self.killed / (self.killed + alive).max(1);
        let left = if self.left == 0 {
            String::new()
        } else {
            format!(", no time for {}", self.left)
        };
        let mut lines = vec![format!(
            "{name}: {} changes noticed, {alive} not ({}.{} %), {harmless} harmless, {} do not compile{left}",
            self.killed,
            tenths / 10,
            tenths % 10,
            self.unviable
        )];
        for place in &self.survivors {
            let reason = reasons
                .get(&place.key())
                .map_or("not explained", String::as_str);
            lines.push(format!("survivor: {}: {reason}", place.name()));
        }
        lines
    }

    pub(super) fn faults(&self, area: &Area, reasons: &Reasons) -> Vec<String> {
        let alive = self.unexplained(reasons).count();
        let mut faults = Vec::new();
        if self.killed * 100 < area.percent * (self.killed + alive) || self.killed == 0 {
            faults.push(format!("{}: {} % are wanted", area.name, area.percent));
        }
        if !area.sampled {
            faults.extend(
                self.unexplained(reasons)
                    .map(|place| format!("not explained: {}", place.name())),
            );
            let survived = |key: &str| self.survivors.iter().any(|place| place.key() == key);
            let start = |file: &&&str| file.trim_end_matches("**").to_owned();
            let ours = |key: &str| area.files.iter().any(|file| key.starts_with(&start(&file)));
            let stale = reasons.keys().filter(|key| ours(key) && !survived(key));
            faults.extend(stale.map(|key| format!("explained, but no survivor: {key}")));
        }
        faults
    }
}

/// What a core does: makes one change after the other in a tree of its own.
fn work(
    area: &Area,
    name: &str,
    queue: &Mutex<VecDeque<Place>>,
    deadline: Option<Instant>,
) -> Result<Tried, String> {
    let tree = Tree::copy(name)?;
    let all = words(&[area.flags, area.all]);
    let programs = tree.build(&all)?.ok_or("the tests do not build")?;
    let steps = area.stages.iter();
    let stages: Vec<Stage<'_>> = steps
        .map(|step| stage(area.flags, step, &programs))
        .collect();
    // Beside the tests of every change these have just run.
    if deadline.is_none() {
        tree.unchanged(&stages)?;
    }
    let mut tried = Tried::default();
    loop {
        let late = deadline.is_some_and(|deadline| Instant::now() > deadline);
        let next = queue
            .lock()
            .ok()
            .filter(|_| !late)
            .and_then(|mut queue| queue.pop_front());
        let Some(place) = next else {
            return Ok(tried);
        };
        let fate = tree.meet(&place, &stages)?;
        eprintln!("F2: {}: {fate}", place.name());
        match fate {
            Fate::Killed => tried.killed += 1,
            Fate::Unviable => tried.unviable += 1,
            Fate::Survived => tried.survivors.push(place),
        }
    }
}

/// The test programs of a step, those made of the package's own sources first. Where those are built for a change,
/// so are the others of the package.
fn stage<'p>(flags: &[&str], step: &Step, programs: &'p [Program]) -> Stage<'p> {
    let meets = |name: &str| match step.programs {
        Programs::But(others) => !others.contains(&name),
        Programs::Alone(these) => these.contains(&name),
    };
    let of = |program: &&Program| program.is_of(step.package) && meets(&program.name);
    let mut programs: Vec<&Program> = programs.iter().filter(of).collect();
    let unit = step.package.replace("crates/", "").replace('-', "_");
    programs.sort_by_key(|program| (program.name != unit, program.name.clone()));
    let mut build = words(&[flags, step.build]);
    if step.build == ["--lib"] {
        let tests = programs.iter().filter(|program| program.name != unit);
        build.extend(tests.flat_map(|program| ["--test".into(), program.name.clone()]));
    }
    Stage { build, programs }
}

fn words(parts: &[&[&str]]) -> Vec<String> {
    parts.concat().into_iter().map(str::to_owned).collect()
}

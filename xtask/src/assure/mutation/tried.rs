//! The changes of an area, made one after the other, and what became of them.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use super::places::Place;
use super::program::{Fate, Program, Stage, met};
use super::survivors::Reasons;
use super::tree::Tree;
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

/// Changes that wait, by their numbers.
type Queue = Mutex<VecDeque<(usize, Place)>>;

impl Tried {
    /// Tries them: those that can be switches in one build, the others each in a build of its own.
    pub(super) fn of(
        area: &Area,
        places: Vec<Place>,
        cores: usize,
        deadline: Option<Instant>,
    ) -> Result<Self, String> {
        if places.is_empty() || late(deadline) {
            let left = places.len();
            return Ok(Self {
                left,
                ..Self::default()
            });
        }
        let cores = cores.min(places.len());
        let tree = Tree::copy("switched")?;
        let (programs, switched) = tree.switch(&places, &words(&[area.flags, area.all]))?;
        let mut stages = stages(area.flags, area.stages, &programs);
        // Beside the tests of every change these have just run.
        if deadline.is_none() {
            programs_of(&stages).try_for_each(|program| program.unchanged())?;
            // The sooner one ends, the sooner a change is noticed.
            for stage in &mut stages {
                stage.programs.sort_by_key(|program| program.took());
            }
        }
        let numbered = (1..).zip(places);
        let (switched, alone): (VecDeque<_>, VecDeque<_>) =
            numbered.partition(|(number, _)| switched.contains(number));
        eprintln!(
            "F2: {}: {} changes in one build, {} in one each",
            area.name,
            switched.len(),
            alone.len()
        );
        let mut tried = on_each(cores, switched, |_, queue| {
            drain(queue, deadline, |number, _| {
                met(programs_of(&stages), number)
            })
        })?;
        let rest = on_each(cores, alone, |core, queue| {
            one_by_one(area, &format!("tree-{core}"), queue, deadline)
        })?;
        tried.add(rest);
        tried.survivors.sort_unstable_by_key(Place::name);
        Ok(tried)
    }

    fn add(&mut self, other: Self) {
        self.killed += other.killed;
        self.unviable += other.unviable;
        self.survivors.extend(other.survivors);
        self.left += other.left;
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

    /// What is wrong with that; `all`: every change of the area was tried, or of its sample.
    pub(super) fn faults(&self, area: &Area, reasons: &Reasons, all: bool) -> Vec<String> {
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
        }
        if all && !area.sampled {
            let survived = |key: &str| self.survivors.iter().any(|place| place.key() == key);
            let start = |file: &&&str| file.trim_end_matches("**").to_owned();
            let ours = |key: &str| area.files.iter().any(|file| key.starts_with(&start(&file)));
            let stale = reasons.keys().filter(|key| ours(key) && !survived(key));
            faults.extend(stale.map(|key| format!("explained, but no survivor: {key}")));
        }
        faults
    }
}

/// The programs that meet a change, in their order.
fn programs_of<'s, 'p>(stages: &'s [Stage<'p>]) -> impl Iterator<Item = &'s &'p Program> {
    stages.iter().flat_map(|stage| &stage.programs)
}

/// Lets each core work off a queue, and adds up what became of it.
fn on_each(
    cores: usize,
    places: VecDeque<(usize, Place)>,
    work: impl Fn(usize, &Queue) -> Result<Tried, String> + Sync,
) -> Result<Tried, String> {
    let mut tried = Tried::default();
    if places.is_empty() {
        return Ok(tried);
    }
    let queue = Mutex::new(places);
    let workers = thread::scope(|scope| {
        let spawn = |core| {
            let (work, queue) = (&work, &queue);
            scope.spawn(move || work(core, queue))
        };
        let workers: Vec<_> = (0..cores).map(spawn).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.collect::<Vec<_>>()
    });
    for worker in workers {
        tried.add(worker.map_err(|_| "a thread panicked")??);
    }
    tried.left = queue.into_inner().map_or(0, |queue| queue.len());
    Ok(tried)
}

fn late(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() > deadline)
}

/// Meets one change of the queue after the other, until there is none or no time.
fn drain(
    queue: &Queue,
    deadline: Option<Instant>,
    meet: impl Fn(usize, &Place) -> Result<Fate, String>,
) -> Result<Tried, String> {
    let mut tried = Tried::default();
    loop {
        let next = queue
            .lock()
            .ok()
            .filter(|_| !late(deadline))
            .and_then(|mut queue| queue.pop_front());
        let Some((number, place)) = next else {
            return Ok(tried);
        };
        let fate = meet(number, &place)?;
        eprintln!("F2: {}: {fate}", place.name());
        match fate {
            Fate::Killed => tried.killed += 1,
            Fate::Unviable => tried.unviable += 1,
            Fate::Survived => tried.survivors.push(place),
        }
    }
}

/// What a core does: makes one change after the other in a tree of its own.
fn one_by_one(
    area: &Area,
    name: &str,
    queue: &Queue,
    deadline: Option<Instant>,
) -> Result<Tried, String> {
    // Copies are not made for nothing.
    if late(deadline) {
        return Ok(Tried::default());
    }
    let tree = Tree::copy(name)?;
    let all = words(&[area.flags, area.all]);
    let programs = tree.build(&all)?.ok_or("the tests do not build")?;
    let mut stages = stages(area.flags, area.stages, &programs);
    let rebuilt = stages
        .iter()
        .map(|stage| Ok(tree.build(&stage.build)?.ok_or("the tests do not build")?))
        .collect::<Result<Vec<_>, String>>()?;
    for (stage, rebuilt) in stages.iter_mut().zip(&rebuilt) {
        stage.take(rebuilt);
    }
    if deadline.is_none() {
        tree.unchanged(&stages)?;
    }
    drain(queue, deadline, |_, place| tree.meet(place, &stages))
}

fn stages<'p>(flags: &[&str], steps: &[Step], programs: &'p [Program]) -> Vec<Stage<'p>> {
    let stage = |step| stage(flags, step, programs);
    steps.iter().map(stage).collect()
}

/// The test programs of a step, those made of the package's own sources first. Where those are built for a change,
/// so are the others of the package.
fn stage<'p>(flags: &[&str], step: &Step, programs: &'p [Program]) -> Stage<'p> {
    let meets = |name: &str| match step.programs {
        Programs::But(others) => !others.contains(&name),
        Programs::Alone(these) => these.contains(&name),
    };
    let of = |program: &&Program| program.is_of(step.package) && meets(program.name());
    let mut programs: Vec<&Program> = programs.iter().filter(of).collect();
    let unit = step.package.replace("crates/", "").replace('-', "_");
    programs.sort_by_key(|program| (program.name() != unit, program.name().to_owned()));
    let mut build = words(&[flags, step.build]);
    if step.build == ["--lib"] {
        let tests = programs.iter().filter(|program| program.name() != unit);
        build.extend(tests.flat_map(|program| ["--test".into(), program.name().into()]));
    }
    Stage { build, programs }
}

fn words(parts: &[&[&str]]) -> Vec<String> {
    parts.concat().into_iter().map(str::to_owned).collect()
}

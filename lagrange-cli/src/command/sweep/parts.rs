//! A sweep whose table is written in parts, so that it can be cut short and go on, and be shared by several processes.

mod block;
mod directory;
mod format;
mod manifest;

pub use directory::Opened;
pub(super) use format::Format;

use super::Arguments;
use super::picture::Picture;
use super::plan::Plan;
use super::row::Row;
use super::work::Work;
use crate::catalog::Catalog;
use crate::command::Failure;
use crate::command::interrupt::Interrupt;
use crate::command::output::{self, quoted};
use crate::command::progress::Line;
use block::Block;
use directory::Directory;
use manifest::Manifest;
use std::fs;
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The largest number of members of a block.
const LARGEST: u64 = 1_000_000;

/// The largest number of blocks.
const MOST: u64 = 1_000_000;

/// The largest number of members of a block whose size is not given.
const USUAL: u64 = 1000;

/// A sweep whose table is written in parts to a directory.
///
/// A *block* has consecutive members, and is what one process computes at a time. The digits in the files of a block depend on the
/// settings alone, whichever process computes it, and with however many threads. A process that runs alone calls
/// [`Parts::run`]. Of several processes, one calls [`Parts::open`], each calls [`Parts::compute`] with blocks of its own, and at
/// last the first one calls [`Parts::finish`].
pub struct Parts<'a> {
    arguments: &'a Arguments,
    plan: Plan,
    picture: Option<Picture>,
    layout: Layout,
    directory: Directory,
    manifest: Manifest,
    interrupt: Interrupt,
}

/// How the members are distributed over files.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layout {
    /// The number of members of each block but the last one, which may have fewer.
    block: u64,
    format: Format,
}

impl<'a> Parts<'a> {
    /// The sweep that these arguments ask for, with its directory. Nothing is written yet. From then on, Ctrl-C and the signals that
    /// ask to terminate end [`Parts::compute`] early, and do not end the process.
    ///
    /// # Errors
    /// [`Failure::Usage`] names what does not exist, is not allowed or contradicts something else, or says that `--parts` is
    /// missing.
    pub fn new(catalog: &Catalog, arguments: &'a Arguments) -> Result<Self, Failure> {
        let plan = Plan::new(catalog, arguments)?;
        let picture = arguments.picture(&plan)?;
        // Refuses files that exist, and options that contradict each other.
        arguments.sheet(plan.columns())?;
        let layout = Layout::new(arguments, plan.members.total)?;
        let path = arguments.parts.as_deref();
        let path = path.ok_or_else(|| {
            let text = "a sweep that several processes share writes its rows in parts; add --parts DIRECTORY";
            Failure::Usage(text.to_owned())
        })?;
        let directory = Directory::new(path, layout.format.extension());
        let manifest = Manifest::new(&plan, &layout);
        Ok(Self { arguments, plan, picture, layout, directory, manifest, interrupt: Interrupt::listen() })
    }

    /// Carries the whole sweep out in this process.
    ///
    /// # Errors
    /// As [`Parts::open`], [`Parts::compute`] and [`Parts::finish`].
    pub fn run(self) -> Result<(), Failure> {
        let opened = self.open()?;
        let computed = self.compute(opened.missing().iter().copied());
        computed.map_err(|failure| failure.with(&self.kept()))?;
        self.finish(opened)
    }

    /// The text of the settings that decide every digit. It is the same in all processes that work on the same sweep.
    pub fn manifest(&self) -> String {
        self.manifest.text()
    }

    /// Makes the directory ready, with the settings in a file, and finds which blocks are not complete. If some are, a note on
    /// the standard error says how many. No other process can open the directory until the returned value is dropped.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the directory has other files, or parts of a sweep with other settings; [`Failure::Work`] if another run
    /// writes to it, or if the file system refuses something.
    pub fn open(&self) -> Result<Opened, Failure> {
        let count = self.count();
        let opened = self.directory.open(&self.manifest, count)?;
        let missing = opened.missing().len() as u64;
        if missing < count {
            let text = format!("{} of {count} blocks are complete in {}", count - missing, self.directory.name());
            // A closed standard error is no failure of the sweep.
            _ = writeln!(io::stderr(), "note: {text}; {missing} are left to compute");
        }
        Ok(opened)
    }

    /// Whether the directory has the settings of this sweep. A process that did not open it finds out by this whether it works in the
    /// same directory as the one that did.
    pub fn is_opened(&self) -> bool {
        self.directory.manifest().is_some_and(|text| text == self.manifest())
    }

    /// Computes the blocks of these numbers on the threads that the arguments name, and writes their files. The next number is asked
    /// for as soon as a thread has nothing else to do.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] if the user broke off, and [`Failure::Work`] if a file cannot be written. Blocks that are complete
    /// remain.
    pub fn compute<I>(&self, blocks: I) -> Result<(), Failure>
    where
        I: IntoIterator<Item = u64>,
        I::IntoIter: Send,
    {
        let failed = AtomicBool::new(false);
        let blocks = blocks.into_iter().take_while(|_| !failed.load(Ordering::Relaxed));
        // How many members this process is going to compute, if it knows.
        let total = blocks.size_hint().1.map(|count| (count as u64).saturating_mul(self.layout.block));
        let members = blocks.flat_map(|number| {
            let range = self.members(number);
            let length = usize::try_from(range.end - range.start).unwrap_or(0);
            let block = Arc::new(Block::new(number, length));
            (0..length).zip(range).map(move |(place, index)| (block.clone(), place, index))
        });
        let work = |_, (block, place, index): (Arc<Block>, usize, u64)| {
            if failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let row = self.plan.row(index, self.interrupt.flag());
            if self.interrupt.is_set() {
                // The motion may have been cut short.
                return Ok(());
            }
            let Some(rows) = block.add(place, row) else { return Ok(()) };
            let written = self.write(block.number, &rows);
            failed.fetch_or(written.is_err(), Ordering::Relaxed);
            written
        };
        let mut result = Ok(());
        let (line, first) = (Line::new(), &mut result);
        let receive = move |count: u64, written: Result<(), Failure>| {
            if let Some(total) = total {
                line.show(count as f64 / total as f64, || format!("{count} members"));
            }
            if first.is_ok() {
                *first = written;
            }
            if first.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.arguments.workers(&self.plan).with_cancel(self.interrupt.flag()).run(members, work, receive);
        if result.is_ok() && self.interrupt.is_set() {
            return Err(Failure::Interrupted("broken off, as asked".to_owned()));
        }
        result
    }

    /// Whether the user has asked to break off.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }

    /// A sentence that says which blocks are complete, and how to compute the others.
    pub fn kept(&self) -> String {
        let (count, name) = (self.count(), self.directory.name());
        match self.directory.missing(count) {
            Ok(missing) => {
                let complete = count - missing.len() as u64;
                format!("{complete} of {count} blocks are complete in {name}; the same command goes on with the others")
            }
            Err(_) => format!("blocks that are complete remain in {name}; the same command goes on with the others"),
        }
    }

    /// Reads all parts in their order, and writes the sums over all members and the picture. All blocks must be complete.
    ///
    /// # Errors
    /// [`Failure::Work`] names a part that is missing or damaged, or a file that cannot be written. It is also returned if all
    /// members failed. [`Failure::Interrupted`] if the user broke off.
    pub fn finish(mut self, opened: Opened) -> Result<(), Failure> {
        let mut picture = self.picture.take();
        let mut totals = self.plan.totals();
        for number in 0..self.count() {
            if self.interrupt.is_set() {
                return Err(Failure::Interrupted(format!("broken off, as asked\n{}", self.kept())));
            }
            let (rows, work) = self.read(number)?;
            for (row, index) in rows.iter().zip(self.members(number)) {
                totals.add(index, row);
                if let Some(picture) = &mut picture {
                    picture.add(row);
                }
            }
            totals.append(work);
        }
        output::own_file(&self.directory.totals(), totals.json(&self.plan.method).as_bytes())?;
        drop(opened);
        totals.tell();
        self.arguments.conclude(&self.plan, &totals, picture.as_ref())
    }

    /// The number of blocks.
    fn count(&self) -> u64 {
        self.plan.members.total.div_ceil(self.layout.block)
    }

    /// The indices of the members of a block.
    fn members(&self, number: u64) -> Range<u64> {
        let (total, block) = (self.plan.members.total, self.layout.block);
        let start = number.saturating_mul(block).min(total);
        start..start.saturating_add(block).min(total)
    }

    /// Writes the files of a block. The table comes last, so that a block with a table is complete.
    fn write(&self, number: u64, rows: &[Row]) -> Result<(), Failure> {
        let path = self.directory.rows(number);
        let mut work = Work::default();
        let mut encode = || -> io::Result<Vec<u8>> {
            let (mut table, mut bytes) = (self.layout.format.table(), Vec::new());
            table.begin(&self.plan.columns(), &mut bytes)?;
            for (row, index) in rows.iter().zip(self.members(number)) {
                work.add(index, row);
                let written = row.tell(index, &self.plan.conditions, |numbers, texts| {
                    table.row(numbers, texts, &mut bytes).map_or_else(ControlFlow::Break, ControlFlow::Continue)
                });
                if let ControlFlow::Break(error) = written {
                    return Err(error);
                }
            }
            table.end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = encode().map_err(|error| Failure::output(&quoted(&path), &error))?;
        output::own_file(&self.directory.work(number), work.text().as_bytes())?;
        output::own_file(&path, &bytes)
    }

    /// Reads the files of a block.
    ///
    /// # Errors
    /// [`Failure::Work`] names the file that is missing or damaged.
    fn read(&self, number: u64) -> Result<(Vec<Row>, Work), Failure> {
        let (path, columns) = (self.directory.rows(number), self.plan.columns());
        let damaged = |path: &Path, error: &str| {
            Failure::Work(format!(
                "cannot read {}: {error}\nremove this file, and give the same command again",
                quoted(path)
            ))
        };
        let cells = self.layout.format.read(&path, &columns).map_err(|error| damaged(&path, &error))?;
        let (found, members) = (cells.iter().filter(|cells| Row::is_end(cells)).count() as u64, self.members(number));
        if found != members.end - members.start {
            let text = format!("it has the ends of {found} members instead of {}", members.end - members.start);
            return Err(damaged(&path, &text));
        }
        let varied = self.plan.members.varied.len();
        let mut cells = cells.into_iter();
        let rows = members.map(|index| {
            let row = Row::of_cells(&mut cells, index, varied, &self.plan.conditions);
            row.ok_or_else(|| damaged(&path, &format!("the row of member {index} is not there")))
        });
        let rows = rows.collect::<Result<_, _>>()?;
        let path = self.directory.work(number);
        let text = fs::read_to_string(&path).map_err(|error| damaged(&path, &error.to_string()))?;
        let work = Work::read(&text).ok_or_else(|| damaged(&path, "it has no counters"))?;
        Ok((rows, work))
    }
}

impl Layout {
    /// The layout that these arguments ask for.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the blocks are too large or too many.
    fn new(arguments: &Arguments, total: u64) -> Result<Self, Failure> {
        let block = arguments.block.unwrap_or_else(|| total.div_ceil(100).clamp(1, USUAL));
        if !(1..=LARGEST).contains(&block) {
            return Err(Failure::Usage(format!("--block {block} is not possible; a block has 1 to {LARGEST} members")));
        }
        let count = total.div_ceil(block);
        if count > MOST {
            let least = total.div_ceil(MOST);
            return Err(Failure::Usage(format!(
                "--block {block} makes {count} blocks of {total} members; at most {MOST} are possible, with a --block of at least {least}"
            )));
        }
        Ok(Self { block, format: arguments.format.unwrap_or(Format::Csv) })
    }
}

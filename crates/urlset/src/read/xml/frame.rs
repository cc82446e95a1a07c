//! The elements that are open, their names and the texts they gather. Knows no element's meaning.

use crate::scan::same;
use crate::schema::GroupId;

/// What an open element is to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Outside any entry.
    Outer,
    /// An entry.
    Entry(GroupId),
    /// An element that holds elements, within an entry.
    Group { group: GroupId, parent: GroupId },
    /// An element that holds a value.
    Value { group: GroupId, field: usize },
    /// Passed over with all it holds.
    Skip,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    name: usize,
    pub role: Role,
    /// Offset of its start tag.
    pub offset: u64,
    /// Where its text begins among the texts.
    pub text: usize,
    /// Where in the file its text begins and ends.
    pub text_offset: u64,
    pub text_end: u64,
    pub pieces: u32,
    /// No piece holds a reference.
    pub plain: bool,
    /// Markup stood in its text, or a part was passed over.
    pub spoiled: bool,
}

/// All open elements, outermost first.
#[derive(Debug, Default)]
pub(super) struct Stack {
    frames: Vec<Frame>,
    names: Vec<u8>,
    texts: Vec<u8>,
    /// Index of the entry that is open.
    pub entry: Option<usize>,
}

impl Stack {
    #[inline]
    pub fn push(&mut self, name: &[u8], role: Role, offset: u64) {
        if matches!(role, Role::Entry(_)) {
            self.entry = Some(self.frames.len());
        }
        let frame = Frame {
            name: self.names.len(),
            role,
            offset,
            text: self.texts.len(),
            text_offset: offset,
            text_end: offset,
            pieces: 0,
            plain: true,
            spoiled: false,
        };
        self.names.extend_from_slice(name);
        self.frames.push(frame);
    }

    #[inline]
    pub fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.names.truncate(frame.name);
            self.texts.truncate(frame.text);
            if self.entry == Some(self.frames.len()) {
                self.entry = None;
            }
        }
    }

    #[inline]
    pub fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// The role of the innermost element.
    #[inline]
    pub fn role(&self) -> Role {
        self.frames.last().map_or(Role::Outer, |f| f.role)
    }

    /// Whether the innermost element has this name.
    #[inline]
    pub fn is_top(&self, name: &[u8]) -> bool {
        self.frames.last().is_some_and(|f| same(&self.names[f.name..], name))
    }

    pub fn len(&self) -> usize {
        self.frames.len()
    }

    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.frames.iter()
    }

    /// The name of an element, prefix included.
    #[inline]
    pub fn name(&self, frame: &Frame) -> &[u8] {
        let after = self.frames.iter().map(|f| f.name).find(|&n| n > frame.name);
        // Names are not empty, so the next one begins where this one ends.
        match self.frames.last() {
            Some(last) if last.name == frame.name => &self.names[frame.name..],
            _ => &self.names[frame.name..after.unwrap_or(self.names.len())],
        }
    }

    pub fn name_at(&self, at: usize) -> &[u8] {
        self.frames.get(at).map_or(&[], |f| self.name(f))
    }

    /// The innermost element whose name passes a test.
    pub fn find(&self, test: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let mut end = self.names.len();
        for (at, frame) in self.frames.iter().enumerate().rev() {
            if test(&self.names[frame.name..end]) {
                return Some(at);
            }
            end = frame.name;
        }
        None
    }

    /// Adds a piece of text to the innermost element; false when that makes it too long.
    pub fn add_text(&mut self, text: &[u8], offset: u64, plain: bool) -> bool {
        let Some(frame) = self.frames.last_mut() else { return true };
        if frame.spoiled {
            return true;
        }
        if frame.pieces == 0 {
            frame.text_offset = offset;
        }
        frame.pieces += 1;
        frame.plain &= plain;
        frame.text_end = offset + text.len() as u64;
        self.texts.extend_from_slice(text);
        // Pieces add up: sections and comments between them must not make a text without end.
        let fits = self.texts.len() - frame.text <= 4 << 20;
        if !fits {
            frame.spoiled = true;
            self.texts.truncate(frame.text);
        }
        fits
    }

    /// The text of the innermost element ends here, however long it became.
    pub fn end_text(&mut self, end: u64) {
        if let Some(frame) = self.frames.last_mut() {
            frame.text_end = end;
        }
    }

    /// The innermost element's text cannot be known.
    pub fn spoil(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.spoiled = true;
        }
    }

    /// The text of an element so far.
    pub fn text(&self, frame: &Frame) -> &[u8] {
        &self.texts[frame.text..]
    }

    /// The texts of all open elements.
    pub fn texts(&mut self) -> &mut Vec<u8> {
        &mut self.texts
    }

    /// Makes an entry, and what is open in it, something to pass over.
    pub fn give_up(&mut self, entry: usize) {
        for frame in &mut self.frames[entry..] {
            frame.role = Role::Skip;
        }
        self.entry = None;
    }
}

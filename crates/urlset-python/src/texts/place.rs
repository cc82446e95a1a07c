//! Where in a row a value stands, and what is wrong there. Costs nothing where nothing is.

use urlset::codes::Code;

/// The way from the row to a value, put into words only when something is wrong there.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Name(&'a str),
    Item(usize),
}

impl<'a> Path<'a> {
    /// The row itself.
    pub(crate) const ROW: Path<'static> = Path { parent: None, step: Step::Name("") };

    /// A child of that name.
    pub(crate) const fn name(&'a self, name: &'a str) -> Self {
        Self { parent: Some(self), step: Step::Name(name) }
    }

    /// An item of a list, from 0.
    pub(crate) const fn item(&'a self, at: usize) -> Self {
        Self { parent: Some(self), step: Step::Item(at) }
    }

    pub(crate) const fn is_row(&self) -> bool {
        self.parent.is_none()
    }

    /// `images[1]/loc`, or `images/loc` without the numbers.
    pub(crate) fn text(&self, numbers: bool) -> String {
        let mut text = self.parent.map_or_else(String::new, |parent| parent.text(numbers));
        match self.step {
            Step::Name(name) if text.is_empty() => text.push_str(name),
            Step::Name(name) => text.extend(["/", name]),
            Step::Item(at) if numbers => text.extend(["[", &at.to_string(), "]"]),
            Step::Item(_) => {}
        }
        text
    }
}

/// What is wrong with a row: where, and what.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    /// Path of the column; empty where the row as a whole is meant.
    pub(crate) path: String,
    /// A message that begins with what is.
    pub(crate) what: String,
    /// The value.
    pub(crate) value: Option<String>,
    /// What speaks of it; `None` leaves that to the column.
    pub(crate) code: Option<Code>,
}

impl Wrong {
    /// The row as a whole is no row.
    #[cold]
    pub(crate) fn row(what: String) -> Self {
        Self { path: String::new(), what, value: None, code: None }
    }

    /// One thing was there and another expected.
    #[cold]
    pub(crate) fn new(path: &Path, is: &str, value: Option<String>, expected: &str) -> Self {
        let path = path.text(true);
        let name = if path.is_empty() { "row" } else { &path };
        Self { what: format!("{name} is {is}, {expected} was expected"), value, path, code: None }
    }

    /// Bytes that are no UTF-8.
    #[cold]
    pub(crate) fn bytes(path: &Path, bytes: &[u8]) -> Self {
        let shown = String::from_utf8_lossy(bytes).into_owned();
        Self { code: Some(Code::XML007), ..Self::new(path, "not UTF-8", Some(shown), "UTF-8") }
    }
}

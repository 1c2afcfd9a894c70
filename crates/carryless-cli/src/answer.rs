//! Files in the answers of `--json`: a name as messages show it may be that of several files; its bytes are not.

use std::path::Path;

use serde::Serialize;

/// An input.
#[derive(Serialize)]
pub struct File {
    /// As messages have it.
    pub file: String,
    /// Its bytes; none of standard input.
    file_hex: Option<String>,
}

impl File {
    /// What is shown as `name`.
    pub fn new(name: &str, path: Option<&Path>) -> Self {
        Self {
            file: name.into(),
            file_hex: path.map(exact),
        }
    }
}

/// An output.
#[derive(Serialize)]
pub struct Target {
    output: String,
    output_hex: Option<String>,
}

impl Target {
    /// What is shown as `name`.
    pub fn new(name: &str, path: Option<&Path>) -> Self {
        Self {
            output: name.into(),
            output_hex: path.map(exact),
        }
    }
}

fn exact(path: &Path) -> String {
    hex::encode(path.as_os_str().as_encoded_bytes())
}

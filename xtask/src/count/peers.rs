//! What Debian ships for the same machines, under the same counter.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Counter, LENGTHS, PLACES, Place};
use crate::assure::machine::plugin;
use crate::run::{Outcome, command, output, root};

/// One of its libraries.
struct Library {
    name: &'static str,
    file: &'static str,
    /// The first one has its version.
    packages: &'static [&'static str],
    /// The variable that keeps it from instructions of AES and from products of 64 bits.
    without: &'static str,
}

const LIBRARIES: [Library; 3] = [
    Library {
        name: "OpenSSL",
        file: "libcrypto.so.3",
        packages: &["libssl3", "libssl-dev"],
        without: "OPENSSL_armcap=1",
    },
    Library {
        name: "libgcrypt",
        file: "libgcrypt.so.20",
        packages: &[
            "libgcrypt20",
            "libgcrypt20-dev",
            "libgpg-error0",
            "libgpg-error-dev",
        ],
        without: "LIBGCRYPT_DENIED=arm-aes:arm-pmull",
    },
    Library {
        name: "nettle",
        file: "libnettle.so.8",
        packages: &["libnettle8", "nettle-dev"],
        without: "NETTLE_FAT_OVERRIDE=none",
    },
];

/// What it executes.
#[derive(Deserialize)]
pub(super) struct Peer {
    /// With its version.
    pub(super) name: String,
    pub(super) machine: String,
    /// Whether with instructions of AES.
    pub(super) crypto: bool,
    /// Instructions that sealing takes, by length.
    pub(super) seal: [u64; LENGTHS.len()],
}

/// Counts them on every machine, with instructions of AES where they have them, and without.
pub(super) fn count() -> Result<Vec<Peer>, String> {
    let plugin = &plugin("count")?;
    let mut found = Vec::new();
    for place in &PLACES {
        place.machine.prepare()?;
        let debian = Debian::new(place.machine.debian().ok_or("no machine of Debian's")?)?;
        for library in &LIBRARIES {
            let version = debian.unpack(library.packages)?;
            let program = debian.compile(library)?;
            let name = format!("{} {version}", library.name);
            let with = peer(place, plugin, &program, &[], &name)?;
            if with.crypto {
                let without = peer(place, plugin, &program, &["-E", library.without], &name)?;
                if without.crypto {
                    return Err(format!("{name} has AES in spite of {}", library.without));
                }
                found.push(without);
            }
            found.push(with);
        }
    }
    Ok(found)
}

fn peer(
    place: &Place,
    plugin: &str,
    program: &Path,
    words: &[&str],
    name: &str,
) -> Result<Peer, String> {
    let counter = Counter::new(place, plugin, "max", words, program);
    let (mut seal, mut crypto) = ([0; LENGTHS.len()], 0);
    for (count, length) in seal.iter_mut().zip(LENGTHS) {
        [*count, crypto] = counter.call(&["seal", &length.to_string()])?;
    }
    println!("{name} {} {words:?}: {seal:?}", place.machine.title);
    Ok(Peer {
        name: name.into(),
        machine: place.machine.title.into(),
        crypto: crypto > 0,
        seal,
    })
}

/// Packages for another machine, in a folder of their own: what is installed here stays as it is.
struct Debian {
    /// The machine as compilers and folders name it.
    prefix: &'static str,
    folder: PathBuf,
    options: Vec<String>,
}

/// Where the packages are: where this machine's are, as far as they are those of Debian 12 with what its point releases took in.
fn sources() -> Result<String, String> {
    let format = "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) $(COMPONENT)";
    let which = [
        "Created-By: Packages",
        "Origin: Debian",
        "Release: bookworm",
    ];
    let words = [&["indextargets", "--format", format], &which[..]].concat();
    let lines = output("apt-get", &words)?;
    if lines.is_empty() {
        return Err("it takes Debian 12, and the lists of its packages: apt-get update".into());
    }
    Ok(lines)
}

impl Debian {
    fn new((prefix, architecture): (&'static str, &str)) -> Result<Self, String> {
        let folder = root().join("target/assure/peers").join(architecture);
        let sources = sources()?;
        let made = |folder: &Path| {
            // Packages of an earlier run may be older ones.
            let _ = fs::remove_dir_all(folder);
            fs::create_dir_all(folder.join("lists/partial"))?;
            fs::create_dir_all(folder.join("archives/partial"))?;
            fs::write(folder.join("status"), "")?;
            fs::write(folder.join("sources.list"), &sources)
        };
        made(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let shown = folder.display();
        let options = [
            format!("APT::Architecture={architecture}"),
            format!("APT::Architectures={architecture}"),
            "APT::Sandbox::User=root".into(),
            format!("Dir::Etc::sourcelist={shown}/sources.list"),
            "Dir::Etc::sourceparts=/dev/null".into(),
            format!("Dir::State={shown}"),
            format!("Dir::State::status={shown}/status"),
            format!("Dir::Cache={shown}"),
        ];
        let options = options.into_iter().flat_map(|option| ["-o".into(), option]);
        let debian = Self {
            prefix,
            options: options.collect(),
            folder,
        };
        debian.apt(&["update"])?;
        Ok(debian)
    }

    fn apt(&self, words: &[&str]) -> Outcome {
        let mut apt = command("apt-get", &[]);
        apt.args(&self.options).args(words);
        let ran = apt.current_dir(&self.folder).output();
        let ran = ran.map_err(|error| format!("apt-get: {error}"))?;
        if ran.status.success() {
            return Ok(());
        }
        let words = words.join(" ");
        let said = String::from_utf8_lossy(&ran.stderr);
        Err(format!("apt-get {words}: {said}"))
    }

    /// Downloads and unpacks them; the version of the first.
    fn unpack(&self, packages: &[&str]) -> Result<String, String> {
        self.apt(&[&["download"], packages].concat())?;
        let mut version = None;
        for package in packages {
            let begin = format!("{package}_");
            let files = fs::read_dir(&self.folder).map_err(|error| error.to_string())?;
            let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
            let file = names.into_iter().find(|name| name.starts_with(&begin));
            let file = file.ok_or_else(|| format!("apt-get left no {package}"))?;
            let path = self.folder.join(&file);
            let [path, folder] = [&path, &self.folder].map(|path| path.to_string_lossy());
            output("dpkg-deb", &["-x", &path, &folder])?;
            // libssl3_3.0.19-1~deb12u2_arm64.deb
            let upstream = file[begin.len()..].split(['-', '_']).next();
            version = version.or(upstream.map(String::from));
        }
        version.ok_or_else(|| "no package".into())
    }

    /// The program that uses the library.
    fn compile(&self, library: &Library) -> Result<PathBuf, String> {
        let Self { prefix, folder, .. } = self;
        let (shown, name) = (folder.display(), library.name);
        let program = folder.join(name);
        let mut words = vec!["-O2".into(), "xtask/assure/peer.c".into()];
        words.extend(["-o".into(), program.to_string_lossy().into_owned()]);
        words.push(format!("-D{}", name.to_uppercase()));
        // The first ones lie beside those of the compiler, the second ones beside those of all machines.
        for place in [format!("/{prefix}"), String::new()] {
            words.push(format!("-I{shown}/usr/include{place}"));
        }
        // Where the library looks for its own.
        words.push("-Wl,--disable-new-dtags,--allow-shlib-undefined".into());
        for place in ["usr/lib", "lib"] {
            let place = format!("{shown}/{place}/{prefix}");
            words.extend([format!("-L{place}"), format!("-Wl,-rpath,{place}")]);
        }
        words.push(format!("-l:{}", library.file));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        output(&format!("{prefix}-gcc"), &words)?;
        Ok(program)
    }
}

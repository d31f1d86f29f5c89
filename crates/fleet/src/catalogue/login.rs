//! Where the catalogue's database is, who asks and how the way there is protected:
//! `postgres://user:password@host:port/database?sslmode=verify-full`, as `libpq` reads it.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::tls::{Check, Papers};

/// An address of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// Name or number of the machine.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Who asks.
    pub user: String,
    /// What it shows.
    pub password: String,
    /// What is asked.
    pub database: String,
    /// How the way is protected.
    pub mode: Mode,
    /// Whom to trust and what to show.
    pub papers: Papers,
}

/// How the way is protected, as `sslmode` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Never by TLS.
    Disable,
    /// By TLS if the database speaks it.
    Prefer,
    /// By TLS alone, of which so much is looked at.
    Only(Check),
}

const FORM: &str = "postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full";

impl Login {
    /// Reads an address; `papers` hold where it says nothing.
    pub fn read(address: &str, papers: &Papers) -> Result<Login> {
        // Not the address itself: it may hold a password.
        let bad =
            || Error::Catalogue(format!("the database's address cannot be read; write {FORM}"));
        let schemes = ["postgres://", "postgresql://"];
        let rest = schemes.iter().find_map(|it| address.strip_prefix(it)).ok_or_else(bad)?;
        let (rest, options) = rest.split_once('?').unwrap_or((rest, ""));
        let (rest, database) = rest.rsplit_once('/').ok_or_else(bad)?;
        let (login, machine) = rest.rsplit_once('@').unwrap_or(("postgres", rest));
        let (user, password) = login.split_once(':').unwrap_or((login, ""));
        let (host, port) = match machine.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| bad())?),
            None => (machine, 5432),
        };
        let plain = |text| decoded(text).ok_or_else(bad);
        let (host, user, database) = (plain(host)?, plain(user)?, plain(database)?);
        if host.is_empty() || user.is_empty() || database.is_empty() {
            return Err(bad());
        }
        let (mode, papers) = protection(options, papers)?;
        Ok(Login { host, port, user, password: plain(password)?, database, mode, papers })
    }
}

/// What the options after `?` say.
fn protection(options: &str, papers: &Papers) -> Result<(Mode, Papers)> {
    let (mut mode, mut papers, mut own_root) = (None, papers.clone(), None);
    for option in options.split('&').filter(|it| !it.is_empty()) {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let value = decoded(value).unwrap_or_default();
        match name {
            "sslmode" => mode = Some(named(&value)?),
            "sslrootcert" => own_root = Some(value),
            "sslcert" => papers.certificate = Some(PathBuf::from(value)),
            "sslkey" => papers.key = Some(PathBuf::from(value)),
            other => {
                let known = "sslmode, sslrootcert, sslcert and sslkey";
                let why = format!("its address has {other:?}; what is understood is {known}");
                return Err(Error::Catalogue(why));
            }
        }
    }
    let mode = match (mode, own_root.as_deref()) {
        // Anybody can have a certificate of a public authority, so its name must be looked at.
        (_, Some("system")) => Mode::Only(Check::Name),
        (Some(Mode::Only(Check::Nothing)), Some(_)) => Mode::Only(Check::Authority),
        (mode, _) => mode.unwrap_or(Mode::Prefer),
    };
    if let Some(file) = own_root {
        papers.authorities = (file != "system").then(|| PathBuf::from(file));
    }
    Ok((mode, papers))
}

fn named(mode: &str) -> Result<Mode> {
    Ok(match mode {
        "disable" => Mode::Disable,
        "prefer" => Mode::Prefer,
        "require" => Mode::Only(Check::Nothing),
        "verify-ca" => Mode::Only(Check::Authority),
        "verify-full" => Mode::Only(Check::Name),
        other => {
            let known = "disable, prefer, require, verify-ca or verify-full";
            return Err(Error::Catalogue(format!("sslmode is {known}, not {other:?}")));
        }
    })
}

/// A part of an address, with what stands as `%41` in it.
fn decoded(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(after.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(address: &str) -> Result<Login> {
        let papers = Papers { authorities: Some("ours.pem".into()), ..Papers::default() };
        Login::read(address, &papers)
    }

    #[test]
    fn an_address_says_who_and_where() {
        let login = read("postgres://fleet:se%40c%3Aret@db.example:5433/wherein").unwrap();
        assert_eq!((login.user.as_str(), login.password.as_str()), ("fleet", "se@c:ret"));
        assert_eq!((login.host.as_str(), login.port), ("db.example", 5433));
        assert_eq!(read("postgresql://db/wherein").unwrap().port, 5432);
        let bad = [
            "",
            "mysql://db/x",
            "postgres://db",
            "postgres://db:port/x",
            "postgres:///x",
            "postgres://%zz/x",
        ];
        for bad in bad {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[track_caller]
    fn check(options: &str, mode: Mode, authorities: Option<&str>) {
        let login = read(&format!("postgres://db/x{options}")).unwrap();
        let trusted = login.papers.authorities.as_ref().map(|it| it.to_str().unwrap());
        assert_eq!((login.mode, trusted), (mode, authorities), "{options}");
    }

    #[test]
    fn the_mode_is_what_libpq_makes_of_it() {
        check("", Mode::Prefer, Some("ours.pem"));
        check("?sslmode=disable", Mode::Disable, Some("ours.pem"));
        check("?sslmode=require", Mode::Only(Check::Nothing), Some("ours.pem"));
        check("?sslmode=verify-full", Mode::Only(Check::Name), Some("ours.pem"));
        let file = "?sslmode=require&sslrootcert=%2Fetc%2Fdb.pem";
        check(file, Mode::Only(Check::Authority), Some("/etc/db.pem"));
        check("?sslrootcert=system", Mode::Only(Check::Name), None);
        for bad in ["?sslmode=allow", "?sslmode=", "?connect_timeout=3"] {
            assert!(read(&format!("postgres://db/x{bad}")).is_err(), "{bad}");
        }
    }
}

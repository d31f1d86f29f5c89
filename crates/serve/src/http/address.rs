//! Where the server listens, who may ask, and under which names it may be called.
//!
//! A page on the web can make a browser call `localhost`, by a name of its own that it lets point
//! there; so the `Host` a request names must be one of ours, and its `Origin` too if it has one.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, header};

/// Who may ask.
#[derive(Clone)]
pub struct Door {
    /// Where we listen.
    pub address: SocketAddr,
    token: Option<String>,
    names: Vec<String>,
}

/// Fewer characters could be guessed.
pub const LEAST_TOKEN: usize = 16;

impl Door {
    /// A door at `address`; why there cannot be one otherwise. Whoever can reach more than this
    /// machine must ask for a token.
    pub fn new(
        address: SocketAddr,
        token: Option<String>,
        names: Vec<String>,
    ) -> Result<Door, String> {
        match &token {
            Some(token) if token.len() < LEAST_TOKEN => {
                return Err(format!("the token must have at least {LEAST_TOKEN} characters"));
            }
            None if !address.ip().is_loopback() => {
                return Err(format!(
                    "{} can be reached from other machines, so a token is needed: \
                     put one of at least {LEAST_TOKEN} characters into the environment variable \
                     WHEREIN_TOKEN; clients send it as 'Authorization: Bearer TOKEN'",
                    address.ip()
                ));
            }
            _ => {}
        }
        let names = names.into_iter().map(|name| name.to_ascii_lowercase()).collect();
        Ok(Door { address, token, names })
    }

    /// Whether a token is asked for.
    pub fn wants_token(&self) -> bool {
        self.token.is_some()
    }

    /// Whether a request carries the token, if one is needed.
    pub fn admits(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let given = text(headers, header::AUTHORIZATION).and_then(|value| value.split_once(' '));
        given.is_some_and(|(scheme, given)| {
            scheme.eq_ignore_ascii_case("bearer") && same(given.trim(), token)
        })
    }

    /// Whether the request was meant for us.
    pub fn is_called(&self, headers: &HeaderMap) -> bool {
        text(headers, header::HOST).is_some_and(|host| self.is_own(host))
    }

    /// Whether the page that asks, if one does, is ours.
    pub fn is_same_site(&self, headers: &HeaderMap) -> bool {
        let from_elsewhere = text(headers, HeaderName::from_static("sec-fetch-site"))
            .is_some_and(|site| matches!(site, "cross-site" | "same-site"));
        let origin = match headers.contains_key(header::ORIGIN) {
            true => text(headers, header::ORIGIN).and_then(|origin| origin.split_once("://")),
            false => return !from_elsewhere,
        };
        !from_elsewhere && origin.is_some_and(|(_, host)| self.is_own(host))
    }

    fn is_own(&self, host: &str) -> bool {
        let Some((name, port)) = split_port(host) else { return false };
        let name = name.to_ascii_lowercase();
        let fits_port = |port: u16| port == self.address.port();
        let own = match name.parse::<IpAddr>() {
            Ok(ip) if self.address.ip().is_loopback() => ip.is_loopback(),
            // A number cannot be made to point elsewhere.
            Ok(_) => true,
            Err(_) => name == "localhost",
        };
        (own && port.is_none_or(fits_port)) || self.names.contains(&name)
    }
}

/// A header's only value.
fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let only = values.next().filter(|_| values.next().is_none())?;
    only.to_str().ok()
}

/// `host:port`, `host` or `[v6]:port`.
fn split_port(host: &str) -> Option<(&str, Option<u16>)> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    match port.strip_prefix(':') {
        Some(port) => Some((name, Some(port.parse().ok()?))),
        None => port.is_empty().then_some((name, None)),
    }
}

/// Compares in the same time whatever the first difference is.
fn same(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
    a.len() == b.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door(address: &str, names: &[&str]) -> Door {
        let token = Some("0123456789abcdef".to_owned());
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Door::new(address.parse().unwrap(), token, names).unwrap()
    }

    #[track_caller]
    fn check_host(door: &Door, host: &str, expected: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        assert_eq!(door.is_called(&headers), expected, "{host}");
    }

    #[test]
    fn only_our_own_names_are_answered() {
        let here = door("127.0.0.1:7700", &[]);
        for own in ["localhost:7700", "127.0.0.1:7700", "LOCALHOST", "[::1]:7700", "127.9.9.9:7700"]
        {
            check_host(&here, own, true);
        }
        for other in [
            "evil.example",
            "localhost.evil.example:7700",
            "10.0.0.1:7700",
            "localhost:80",
            "127.0.0.1.evil.example:7700",
            "",
            "[::1",
            "localhost:x",
        ] {
            check_host(&here, other, false);
        }
        let open = door("0.0.0.0:7700", &["search.example"]);
        check_host(&open, "10.0.0.1:7700", true);
        check_host(&open, "search.example", true);
        check_host(&open, "other.example", false);
    }

    #[track_caller]
    fn check_origin(headers: &[(&'static str, &str)], expected: bool) {
        let pairs = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        let given: HeaderMap = pairs.collect();
        assert_eq!(door("127.0.0.1:7700", &[]).is_same_site(&given), expected, "{headers:?}");
    }

    #[test]
    fn pages_of_others_may_not_ask() {
        check_origin(&[], true);
        check_origin(&[("origin", "http://localhost:7700")], true);
        check_origin(
            &[("origin", "http://localhost:7700"), ("sec-fetch-site", "same-origin")],
            true,
        );
        check_origin(&[("origin", "https://evil.example")], false);
        check_origin(&[("origin", "null")], false);
        check_origin(&[("sec-fetch-site", "cross-site")], false);
        check_origin(&[("sec-fetch-site", "none")], true);
    }

    #[test]
    fn the_token_must_be_the_token() {
        let door = door("127.0.0.1:7700", &[]);
        for (value, expected) in [
            ("Bearer 0123456789abcdef", true),
            ("bearer 0123456789abcdef", true),
            ("Bearer 0123456789abcdeF", false),
            ("Bearer 0123456789abcdef0", false),
            ("Bearer ", false),
            ("Basic 0123456789abcdef", false),
        ] {
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().unwrap())]);
            assert_eq!(door.admits(&headers), expected, "{value}");
        }
        assert!(!door.admits(&HeaderMap::new()));
    }

    #[test]
    fn other_machines_need_a_token() {
        let at = |address: &str, token: Option<&str>| {
            Door::new(address.parse().unwrap(), token.map(str::to_owned), Vec::new()).err()
        };
        assert!(at("0.0.0.0:1", None).unwrap().contains("WHEREIN_TOKEN"));
        assert!(at("0.0.0.0:1", Some("short")).unwrap().contains("16"));
        assert_eq!(at("[::1]:1", None), None);
        assert_eq!(at("0.0.0.0:1", Some("0123456789abcdef")), None);
    }
}

//! What is wrong with an encrypted connection, in words that say what to do.

use std::io::{self, ErrorKind};

use rustls::{AlertDescription, CertificateError, Error};

/// Something that will not pass by itself: a file, a certificate or an address is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Trouble(pub String);

impl Trouble {
    /// As a failure of a connection.
    pub fn told(self) -> io::Error {
        io::Error::new(ErrorKind::InvalidData, self)
    }

    /// The trouble that a failure of a connection came of.
    pub fn of(error: &io::Error) -> Option<&Trouble> {
        error.get_ref()?.downcast_ref()
    }
}

/// A failure before anything was said.
pub fn while_greeting(error: io::Error, host: &str) -> io::Error {
    let kind = error.kind();
    match kind {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            io::Error::new(ErrorKind::TimedOut, "no answer in time to the beginning of TLS")
        }
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
            io::Error::new(kind, "it closed the connection as TLS began; is TLS spoken there?")
        }
        _ => while_speaking(error, host, false),
    }
}

/// A failure of a connection that is encrypted, and on which something was heard or not.
pub fn while_speaking(error: io::Error, host: &str, is_heard: bool) -> io::Error {
    let kind = error.kind();
    match error.get_ref().and_then(|it| it.downcast_ref::<Error>()) {
        Some(tls) => Trouble(words(tls, host)).told(),
        None if kind != ErrorKind::UnexpectedEof => error,
        None if is_heard => io::Error::new(kind, "it closed the connection"),
        None => {
            let why = "it closed the connection before it said anything; if it wants to see a \
                       certificate, name yours in WHEREIN_TLS_CERT";
            io::Error::new(kind, why)
        }
    }
}

fn words(error: &Error, host: &str) -> String {
    match error {
        Error::InvalidCertificate(why) => format!("its certificate {}", of_certificate(why, host)),
        Error::InvalidMessage(_) => "what answers there speaks no TLS; let it, or ask without it \
                                     (milvus:// instead of milvuss://)"
            .to_owned(),
        Error::AlertReceived(alert) => of_alert(*alert),
        Error::PeerIncompatible(why) => {
            format!(
                "it speaks no TLS that is safe, which is 1.2 or 1.3 with the usual ciphers ({why:?})"
            )
        }
        other => format!("TLS fails: {other}"),
    }
}

fn of_certificate(why: &CertificateError, host: &str) -> String {
    use CertificateError as Why;
    match why {
        Why::UnknownIssuer => "was signed by no authority that is trusted here; name the file of \
                               yours in WHEREIN_TLS_CA"
            .to_owned(),
        Why::NotValidForNameContext { presented, .. } => {
            let names: Vec<String> = presented.iter().map(|name| plain(name)).collect();
            let names =
                if names.is_empty() { "no name at all".to_owned() } else { names.join(", ") };
            format!("is for {names}, not for {host}; write a name that it is for, or renew it")
        }
        Why::NotValidForName => format!("is not for {host}; write a name that it is for"),
        Why::Expired | Why::ExpiredContext { .. } => {
            "has run out; renew it there, or set the clock here".to_owned()
        }
        Why::NotValidYet | Why::NotValidYetContext { .. } => {
            "is not valid yet; set the clock here".to_owned()
        }
        why if format!("{why:?}").contains("CaUsedAsEndEntity") => {
            "is itself that of an authority; have that authority sign one for the server".to_owned()
        }
        why => format!("is not right: {why}"),
    }
}

/// A name without what marks its kind: `DnsName("a.example")`.
fn plain(name: &str) -> String {
    name.split('"').nth(1).unwrap_or(name).to_owned()
}

fn of_alert(alert: AlertDescription) -> String {
    use AlertDescription as Alert;
    match alert {
        Alert::CertificateRequired => "it wants to see a certificate; name the file of yours in \
                                       WHEREIN_TLS_CERT and that of its key in WHEREIN_TLS_KEY"
            .to_owned(),
        Alert::UnknownCA | Alert::BadCertificate | Alert::CertificateUnknown => format!(
            "it does not accept the certificate in WHEREIN_TLS_CERT, or misses one ({alert:?})"
        ),
        Alert::NoApplicationProtocol => {
            "it speaks TLS, but no HTTP/2 within it; the engine's gRPC port is another".to_owned()
        }
        alert => format!("it refuses TLS: {alert:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(error: Error, expected: &str) {
        let told =
            while_speaking(io::Error::new(ErrorKind::InvalidData, error), "db.example", false);
        assert!(Trouble::of(&told).is_some_and(|it| it.0.contains(expected)), "{told}");
    }

    #[test]
    fn troubles_say_what_to_do() {
        check(Error::InvalidCertificate(CertificateError::UnknownIssuer), "WHEREIN_TLS_CA");
        check(Error::InvalidCertificate(CertificateError::NotValidForName), "not for db.example");
        check(Error::InvalidCertificate(CertificateError::Expired), "renew it");
        check(Error::AlertReceived(AlertDescription::CertificateRequired), "WHEREIN_TLS_CERT");
        check(Error::AlertReceived(AlertDescription::NoApplicationProtocol), "gRPC port");
    }

    #[test]
    fn what_may_pass_is_no_trouble() {
        for kind in [ErrorKind::UnexpectedEof, ErrorKind::WouldBlock, ErrorKind::ConnectionReset] {
            assert_eq!(Trouble::of(&while_greeting(kind.into(), "host")), None);
            assert_eq!(Trouble::of(&while_speaking(kind.into(), "host", true)), None);
        }
    }
}

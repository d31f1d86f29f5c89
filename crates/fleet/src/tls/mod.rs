//! Encrypted connections to the engine and to the database.
//!
//! In: a connection, the name of who should be at its other end, and the files that say whom to
//! trust. Out: a [`Stream`] that reads and writes as a plain one does, or words for what is wrong
//! with the other end's certificate. Which files is said by whoever calls: nothing here looks at the
//! environment.

pub mod stream;
pub mod trouble;
pub mod trust;

use std::io;
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection};

pub use stream::Stream;
pub use trouble::Trouble;

/// Files in PEM: whom to trust, and what to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Papers {
    /// Authorities that are trusted instead of the platform's.
    pub authorities: Option<PathBuf>,
    /// Our own certificate and those above it, for who asks for one.
    pub certificate: Option<PathBuf>,
    /// The key of our own certificate; in the same file unless named.
    pub key: Option<PathBuf>,
}

/// What is looked at in the other end's certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Nothing: nobody can read along, but anybody can answer.
    Nothing,
    /// Who has signed it.
    Authority,
    /// Who has signed it, and whether it is for the name that was asked for.
    Name,
}

/// A way to speak TLS, for any number of connections.
#[derive(Clone)]
pub struct Tls {
    config: Arc<ClientConfig>,
    check: Check,
}

impl Tls {
    /// Reads the files; `protocol` is what will be spoken inside, if that is to be agreed on.
    pub fn of(papers: &Papers, check: Check, protocol: Option<&str>) -> Result<Tls, Trouble> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = trust::verifier(papers, check, &provider)?;
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Trouble(error.to_string()))?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let mut config = match own(papers)? {
            Some((chain, key)) => config.with_client_auth_cert(chain, key).map_err(|error| {
                Trouble(format!("the certificate to show and its key do not fit: {error}"))
            })?,
            None => config.with_no_client_auth(),
        };
        config.alpn_protocols = protocol.iter().map(|it| it.as_bytes().to_vec()).collect();
        Ok(Tls { config: Arc::new(config), check })
    }

    /// Encrypts a connection whose times are set already.
    pub fn over(&self, mut tcp: TcpStream, host: &str) -> io::Result<Stream> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| {
            Trouble(format!("{host:?} is no name that a certificate could be for")).told()
        })?;
        let connection = ClientConnection::new(self.config.clone(), name);
        let mut connection = connection.map_err(|error| Trouble(error.to_string()).told())?;
        while connection.is_handshaking() {
            connection
                .complete_io(&mut tcp)
                .map_err(|error| trouble::while_greeting(error, host))?;
        }
        Ok(Stream::secure(connection, tcp, self.check, host))
    }
}

type Own = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

/// What is shown to who asks for a certificate.
fn own(papers: &Papers) -> Result<Option<Own>, Trouble> {
    let Some(file) = &papers.certificate else {
        return match &papers.key {
            Some(_) => Err(Trouble("a key is named, but no certificate that it is of".to_owned())),
            None => Ok(None),
        };
    };
    let chain = trust::certificates(file)?;
    let file = papers.key.as_ref().unwrap_or(file);
    let key = PrivateKeyDer::from_pem_file(file)
        .map_err(|error| Trouble(format!("{}: no key can be read: {error}", file.display())))?;
    Ok(Some((chain, key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(papers: Papers, words: &str) {
        let told = Tls::of(&papers, Check::Name, None).map(|_| ()).unwrap_err().to_string();
        assert!(told.contains(words), "{told}");
    }

    #[test]
    fn files_that_say_nothing_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let empty = folder.path().join("empty.pem");
        std::fs::write(&empty, "no certificate\n").unwrap();
        let missing = Some(folder.path().join("missing.pem"));
        check(Papers { authorities: missing.clone(), ..Papers::default() }, "missing.pem");
        let authorities = Some(empty.clone());
        check(Papers { authorities, ..Papers::default() }, "no certificate is in it");
        check(Papers { certificate: Some(empty), ..Papers::default() }, "no certificate is in it");
        check(Papers { key: missing, ..Papers::default() }, "no certificate that it is of");
    }
}

//! Whom to trust: authorities from a file, from the platform, or those that came with the program.
//!
//! The platform's are read from the files where systems keep them. A package that asks each
//! platform in its own way would bring six with it for what is a list of paths here; where none of the
//! files is there, as on Windows or in an empty container, Mozilla's list stands in, which the
//! program holds anyway.

use std::path::Path;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use super::{Check, Papers, Trouble};

/// Where systems keep the authorities that they trust.
const PLATFORM: [&str; 6] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/usr/local/share/certs/ca-root-nss.crt",
];

/// What looks at certificates.
pub fn verifier(
    papers: &Papers,
    check: Check,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, Trouble> {
    let strict = match check {
        Check::Nothing => None,
        _ => Some(strict(papers, provider)?),
    };
    Ok(match (check, strict) {
        (Check::Name, Some(strict)) => strict,
        (_, inner) => Arc::new(Lenient { inner, provider: provider.clone() }),
    })
}

fn strict(
    papers: &Papers,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, Trouble> {
    let authorities = match &papers.authorities {
        Some(file) => named(file)?,
        None => platform(),
    };
    WebPkiServerVerifier::builder_with_provider(Arc::new(authorities), provider.clone())
        .build()
        .map_err(|error| Trouble(error.to_string()))
}

/// The authorities of a file, each of which must be one.
fn named(file: &Path) -> Result<RootCertStore, Trouble> {
    let mut store = RootCertStore::empty();
    for certificate in certificates(file)? {
        store.add(certificate).map_err(|error| {
            Trouble(format!("{}: it holds what is no authority: {error}", file.display()))
        })?;
    }
    Ok(store)
}

/// The file of those that are trusted, for who reads it himself; none where Mozilla's list stands in.
pub fn file(papers: &Papers) -> Option<&Path> {
    let of_platform = || PLATFORM.map(Path::new).into_iter().find(|file| holds_any(file));
    papers.authorities.as_deref().or_else(of_platform)
}

fn holds_any(file: &Path) -> bool {
    !parsable(file).is_empty()
}

fn platform() -> RootCertStore {
    let mut found = PLATFORM.map(Path::new).into_iter().map(parsable);
    found.find(|store| !store.is_empty()).unwrap_or_else(|| {
        let mut store = RootCertStore::empty();
        store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        store
    })
}

/// Those of a file that can be read: some are older than that, and the others are enough.
fn parsable(file: &Path) -> RootCertStore {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(certificates(file).unwrap_or_default());
    store
}

/// The certificates of a file; there must be one.
pub fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, Trouble> {
    let broken = |why: &dyn std::fmt::Display| Trouble(format!("{}: {why}", file.display()));
    let found = CertificateDer::pem_file_iter(file).map_err(|error| broken(&error))?;
    let found: Result<Vec<_>, _> = found.collect();
    match found {
        Ok(found) if found.is_empty() => Err(broken(&"no certificate is in it; it must be PEM")),
        Ok(found) => Ok(found),
        Err(error) => Err(broken(&error)),
    }
}

/// Looks at who signed a certificate and not at whom it is for, or at nothing: what the database's
/// users ask for by `sslmode`. That the other end has the certificate's key is always seen to.
#[derive(Debug)]
struct Lenient {
    inner: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        end: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(inner) = &self.inner else { return Ok(ServerCertVerified::assertion()) };
        // The name is the last thing that is looked at, so everything else was well.
        match inner.verify_server_cert(end, between, name, ocsp, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            looked => looked,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_is_trusted_on_every_platform() {
        assert!(!platform().is_empty());
    }
}

"""Encrypted ways to the engine and the database: certificates by openssl, a proxy that ends TLS before the engine,
and PostgreSQL's own."""

import base64
import select
import socket
import ssl
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
from fleet import TREES, Fleet, check
from servers import Database, free_port

PASSWORD = "a%20w%40rd"


class Papers:
    """An authority, a server's certificate and a client's by it, and another authority that signed neither."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        for name in ("authority", "stranger"):
            self.make("req", "-x509", *self.key(name), "-out", f"{name}.pem", "-subj", f"/CN={name}", "-days", "2")
        self.sign("server", "subjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth\n")
        self.sign("client", "extendedKeyUsage=clientAuth\n")

    def key(self, name):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{name}.key"]

    def sign(self, name, about):
        (self.folder / f"{name}.txt").write_text(about)
        self.make("req", *self.key(name), "-out", f"{name}.csr", "-subj", f"/CN={name}")
        authority = ["-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial"]
        self.make("x509", "-req", "-in", f"{name}.csr", *authority, "-days", "2", "-extfile", f"{name}.txt", "-out", f"{name}.pem")

    def make(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def file(self, name):
        return str(self.folder / name)


class Proxy:
    """Ends TLS before a plain port, for anybody or for who shows a certificate."""

    def __init__(self, papers, port, wants_certificate=False):
        self.port, self.to = free_port(), port
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(papers.file("server.pem"), papers.file("server.key"))
        self.context.set_alpn_protocols(["h2"])
        if wants_certificate:
            self.context.verify_mode = ssl.CERT_REQUIRED
            self.context.load_verify_locations(papers.file("authority.pem"))
        self.listener = socket.create_server(("127.0.0.1", self.port))
        in_background(self.serve)

    def serve(self):
        while True:
            tcp, _ = self.listener.accept()
            in_background(self.forward, tcp)

    def forward(self, tcp):
        with tcp, socket.create_connection(("127.0.0.1", self.to)) as far:
            try:
                with self.context.wrap_socket(tcp, server_side=True) as near:
                    pump(near, far)
            except OSError:
                pass


def in_background(work, *arguments):
    threading.Thread(target=work, args=arguments, daemon=True).start()


def pump(near, far):
    """Hands on what comes from either side until one of them ends."""
    other = {near: far, far: near}
    while True:
        for it in [near] if near.pending() else select.select([near, far], [], [])[0]:
            data = it.recv(1 << 16)
            if not data:
                return
            other[it].sendall(data)


class Guarded(grpc.GenericRpcHandler):
    """An engine that knows one token, and nothing else."""

    def __init__(self, token):
        self.authorization = base64.b64encode(token.encode()).decode()

    def service(self, call):
        knows = dict(call.invocation_metadata).get("authorization") == self.authorization
        code, words = (grpc.StatusCode.UNIMPLEMENTED, "no such call") if knows else (grpc.StatusCode.UNAUTHENTICATED, "auth check failure")
        return grpc.unary_unary_rpc_method_handler(lambda _, context: context.abort(code, words))


@contextmanager
def guarded(token):
    server = grpc.server(ThreadPoolExecutor(2), handlers=(Guarded(token),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield port
    finally:
        server.stop(None)


def encrypted(work, port):
    """Both connections by TLS: what should be trusted is, and nothing else."""
    papers = Papers(work / "papers")
    engine(papers, port)
    token()
    database(papers, work)


def token():
    """A token that the engine does not know is said at once; one that it knows is let in."""
    with guarded("root:a word") as port:
        fleet = trusting(None, f"milvus://127.0.0.1:{port}/test", "tls")
        refused(fleet, "is the token in WHEREIN_STORE_TOKEN right?", "auth check failure")
        fleet.environment["WHEREIN_STORE_TOKEN"] = "root:a word"
        refused(fleet, "is it an engine of this kind", "no such call")


def engine(papers, port):
    proxy, strict = Proxy(papers, port), Proxy(papers, port, wants_certificate=True)
    tree = TREES / "lathe"
    fleet = trusting(papers, f"milvuss://localhost:{proxy.port}/test", "tls")
    fleet.must("fleet", "add", str(tree))
    fleet.must("fleet", "sync")
    _, page, _ = fleet.search("where is the memory kept")
    check("an engine is filled and searched by TLS", page["hits"] and page["index"]["complete"], page["hits"][0]["path"])
    says(fleet, "the doctor says that the engine is spoken to by TLS", "doctor", str(tree), words="encrypted by TLS 1.3, its certificate is trusted")
    refused(trusting(None, f"milvuss://localhost:{proxy.port}/test", "tls"), "no authority that is trusted here", "WHEREIN_TLS_CA")
    refused(trusting(papers, f"milvuss://localhost:{proxy.port}/test", "tls", "stranger.pem"), "no authority that is trusted here")
    refused(trusting(papers, f"milvuss://127.0.0.1:{proxy.port}/test", "tls"), "is for localhost, not for 127.0.0.1")
    refused(trusting(papers, f"milvuss://localhost:{port}/test", "tls"), "speaks no TLS")
    refused(trusting(papers, f"milvuss://localhost:{strict.port}/test", "tls"), "WHEREIN_TLS_CERT")
    shown = trusting(papers, f"milvuss://localhost:{strict.port}/test", "tls")
    shown.environment |= {"WHEREIN_TLS_CERT": papers.file("client.pem"), "WHEREIN_TLS_KEY": papers.file("client.key")}
    _, page, err = shown.search("where is the memory kept")
    check("who is asked for a certificate shows it", page and page["hits"], err.strip())
    code, _, err = trusting(papers, f"milvus://localhost:{proxy.port}/test", "tls").search("memory", "--fleet-timeout", "3")
    check("an engine that wants TLS is not spoken to without", code == 2 and "milvuss://" in err, err.strip())


def database(papers, work):
    server = Database(work, "guarded", papers).start()
    try:
        modes(papers, server)
    finally:
        server.end()


def modes(papers, server):
    """What `sslmode` promises, with SCRAM and with a plain password, both refused where nothing is encrypted."""

    def at(user, host, options, authority="authority.pem"):
        address = f"postgres://{user}:{PASSWORD}@{host}:{server.port}/{user}?{options}"
        return trusting(papers, "milvus://127.0.0.1:1/none", "queue", authority, address)

    full = "sslmode=verify-full"
    at("scram", "localhost", full).must("fleet", "add", "--name", "one", str(TREES / "lathe"))
    listed = [it["name"] for it in at("scram", "localhost", full).status()["repositories"]]
    check("a database is spoken to by TLS, with a password by SCRAM", listed == ["one"])
    for user, host, options, words in [
        ("scram", "localhost", full, "encrypted by TLS 1.3, its certificate is trusted"),
        ("plain", "localhost", full, "encrypted by TLS 1.3, its certificate is trusted"),
        ("scram", "127.0.0.1", "sslmode=verify-ca", "its name was not looked at"),
        ("scram", "127.0.0.1", "sslmode=require", "nobody looked at its certificate"),
        ("scram", "127.0.0.1", "", "nobody looked at its certificate"),
        ("trusted", "127.0.0.1", "sslmode=disable", "not encrypted"),
    ]:
        says(at(user, host, options), f"sslmode, {user}, {options or 'nothing'}", "doctor", str(TREES / "lathe"), words=words)
    status = ("fleet", "status")
    refused(at("scram", "127.0.0.1", full), "is for localhost, not for 127.0.0.1", run=status)
    refused(at("scram", "localhost", full, "stranger.pem"), "no authority that is trusted here", run=status)
    refused(at("scram", "localhost", f"{full}&sslrootcert={papers.file('stranger.pem')}"), "no authority that is trusted here", run=status)
    refused(at("scram", "localhost", "sslmode=disable"), "no encryption", run=status)
    refused(at("scram", "localhost", "sslmode=allow"), "verify-full", run=status)
    wrong = at("scram", "localhost", full)
    wrong.environment["WHEREIN_QUEUE"] = wrong.environment["WHEREIN_QUEUE"].replace(PASSWORD, "guess")
    refused(wrong, "password authentication failed", run=status)
    server.without_tls()
    refused(at("trusted", "localhost", "sslmode=require"), "it speaks no TLS", run=status)
    says(at("trusted", "localhost", ""), "without sslmode a database without TLS is spoken to", "doctor", str(TREES / "lathe"), words="not encrypted")


def trusting(papers, store, name, authority="authority.pem", queue=None):
    fleet = Fleet(store, name, queue)
    fleet.environment.pop("SSL_CERT_FILE", None)
    if papers:
        fleet.environment["WHEREIN_TLS_CA"] = papers.file(authority)
    return fleet


def says(fleet, what, *arguments, words):
    _, out, err = fleet.run(*arguments)
    line = next((line for line in out.splitlines() if words in line), "")
    check(what, line, line or out + err)


def refused(fleet, *words, run=("fleet", "sync")):
    """It fails at once: no waiting makes a certificate right."""
    started = time.time()
    code, _, err = fleet.run(*run)
    check(f"refused: {words[0]}", code == 2 and all(word in err for word in words) and time.time() - started < 30, err.strip())

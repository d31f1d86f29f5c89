"""The engine and the database, started on loopback and ended by their process ids."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


def wait_for(port, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nothing listens on port {port} after {seconds} s")


# The engine's own program, which on SIGUSR1 writes down where each of its threads stands.
ENGINE = """
import faulthandler, signal, sys
from milvus_lite.cmdline import main
faulthandler.register(signal.SIGUSR1, all_threads=True)
sys.exit(main())
"""


class Engine:
    """milvus-lite, which can be stopped, killed and started again over the same data."""

    def __init__(self, venv, folder):
        self.program = [str(pathlib.Path(venv) / "bin" / "python"), "-c", ENGINE]
        self.data, self.port, self.process = str(folder / "engine"), free_port(), None
        self.log = open(folder / "engine.log", "ab")

    def start(self):
        arguments = ["server", "--data-dir", self.data, "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen([*self.program, *arguments], stdout=self.log, stderr=self.log)
        wait_for(self.port)
        return self

    def stands(self):
        """Where its threads stand, after the last that it said."""
        code = self.process.poll() if self.process else None
        if self.process and code is None:
            self.process.send_signal(signal.SIGUSR1)
            time.sleep(1)
        text = pathlib.Path(self.log.name).read_text(errors="replace")
        return f"the engine (exit code {code}) said:\n{text[-6000:]}"

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)


class Database:
    """PostgreSQL, which refuses to be root and so runs as nobody where this does."""

    def __init__(self, folder, name="database", papers=None):
        self.folder, self.port, self.papers = folder / name, free_port(), papers
        self.folder.mkdir()
        self.as_user = []
        if os.getuid() == 0:
            os.chown(self.folder, 65534, 65534)
            self.as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        self.process = None

    def start(self):
        programs, data = os.environ["PGBIN"], self.folder / "data"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/"}
        make = [f"{programs}/initdb", "-D", str(data), "-A", "trust", "-U", "fleet", "--no-sync"]
        subprocess.run([*self.as_user, *make], check=True, **quiet)
        if self.papers:
            self.guard(data, [*self.as_user, f"{programs}/postgres", "--single", "-D", str(data), "postgres"], quiet)
        run = [f"{programs}/postgres", "-D", str(data), "-p", str(self.port), "-h", "127.0.0.1"]
        run += ["-k", str(self.folder), "-c", "fsync=off"]
        self.process = subprocess.Popen([*self.as_user, *run], **quiet)
        wait_for(self.port)
        return self

    def guard(self, data, single, quiet):
        """TLS; and a user for each kind of login, with a database of its own."""
        for name in ("server.pem", "server.key"):
            shutil.copy(self.papers.file(name), data)
            os.chmod(data / name, 0o600)
            if self.as_user:
                os.chown(data / name, 65534, 65534)
        made = [f"CREATE ROLE {it} LOGIN PASSWORD 'a w@rd';\nCREATE DATABASE {it} OWNER {it};\n" for it in ("scram", "plain", "trusted")]
        subprocess.run(single, input="".join(made).encode(), check=True, **quiet)
        logins = [("hostssl", "scram", "scram-sha-256"), ("hostssl", "plain", "password"), ("host", "trusted", "trust")]
        (data / "pg_hba.conf").write_text("".join(f"{kind} all {user} 127.0.0.1/32 {login}\n" for kind, user, login in logins))
        self.configure("ssl = on", "ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'")

    def configure(self, *lines):
        with open(self.folder / "data" / "postgresql.conf", "a") as file:
            file.write("".join(f"{line}\n" for line in lines))

    def without_tls(self):
        self.configure("ssl = off")
        self.process.send_signal(signal.SIGHUP)
        time.sleep(0.5)

    def run(self, statements):
        subprocess.run([f"{os.environ['PGBIN']}/psql", "-q", "-v", "ON_ERROR_STOP=1", self.address()], input=statements, text=True, check=True)

    def address(self):
        return f"postgres://fleet@127.0.0.1:{self.port}/postgres"

    def end(self):
        if self.process:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()

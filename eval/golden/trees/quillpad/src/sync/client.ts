import { Mapping } from "../model/mapping";
import { stepFromJSON, type Step } from "../model/step";
import { Doc } from "../model/doc";
import type { Editor } from "../view/editor";
import { delay, randomBetween } from "../util/timing";

interface Batch {
  version: number;
  steps: object[];
  author: string;
}

/** Sends our steps, receives those of the others, and keeps the two in order. */
export class SyncClient {
  private pending: Step[] = [];
  private inFlight = 0;
  private socket: WebSocket | null = null;
  private closed = false;

  constructor(
    private editor: Editor,
    private url: string,
    private author: string,
    private version: number,
    private report: (state: "online" | "offline") => void = () => {},
  ) {
    void this.connect();
  }

  push(step: Step): void {
    this.pending.push(step);
    this.flush();
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  private async connect(): Promise<void> {
    while (!this.closed) {
      try {
        await this.catchUp();
        await this.listen();
      } catch (error) {
        console.warn("sync: connection lost, will try again", error);
      }
      this.report("offline");
      await delay(randomBetween(1000, 5000));
    }
  }

  private async catchUp(): Promise<void> {
    const response = await fetch(`${this.url}/steps?since=${this.version}`);
    if (response.status === 410) {
      return this.startOver();
    }
    if (!response.ok) {
      throw new Error(`sync: server answered ${response.status} to a request for missed steps`);
    }
    for (const batch of (await response.json()) as Batch[]) {
      this.receive(batch);
    }
  }

  /** Too much was missed: take the whole text and lay our own steps on top. */
  private async startOver(): Promise<void> {
    const response = await fetch(`${this.url}/doc`);
    const { version, doc } = await response.json();
    this.editor.doc = Doc.fromJSON(doc);
    this.version = version;
    for (const step of this.pending) {
      this.editor.dispatch(step, "remote");
    }
  }

  private listen(): Promise<void> {
    return new Promise((resolve) => {
      this.socket = new WebSocket(this.url.replace(/^http/, "ws"));
      this.socket.onopen = () => {
        this.report("online");
        this.flush();
      };
      this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
      this.socket.onclose = () => {
        this.inFlight = 0;
        resolve();
      };
    });
  }

  private flush(): void {
    if (this.inFlight || !this.pending.length || this.socket?.readyState !== WebSocket.OPEN) {
      return;
    }
    this.inFlight = this.pending.length;
    const steps = this.pending.map((step) => step.toJSON());
    this.socket.send(JSON.stringify({ version: this.version, steps, author: this.author }));
  }

  private receive(batch: Batch): void {
    if (batch.version !== this.version + 1) {
      throw new Error(`sync: expected version ${this.version + 1}, got ${batch.version}`);
    }
    this.version = batch.version;
    if (batch.author === this.author) {
      this.pending.splice(0, this.inFlight);
      this.inFlight = 0;
      return this.flush();
    }
    this.rebase(batch.steps.map(stepFromJSON));
  }

  /** Lifts our steps off, puts theirs down, lays ours on top again. */
  private rebase(theirs: Step[]): void {
    let over = new Mapping();
    for (const step of theirs) {
      this.editor.dispatch(step, "remote");
      over = over.then(step.mapping());
    }
    this.pending = this.pending.flatMap((step) => {
      const moved = step.rebase(over);
      return moved ? [moved] : [];
    });
  }
}

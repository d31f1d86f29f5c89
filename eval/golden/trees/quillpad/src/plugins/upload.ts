/** Pictures: a grey box first, the picture when the server has it. */
export interface UploadSlot {
  id: string;
  state: "waiting" | "done" | "failed";
  url?: string;
}

const MOST_BYTES = 8 * 1024 * 1024;
const TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export class Uploader {
  private slots = new Map<string, { slot: UploadSlot; file: File }>();

  constructor(private endpoint: string, private changed: (slot: UploadSlot) => void) {}

  start(file: File): UploadSlot {
    if (!TYPES.has(file.type)) {
      throw new Error(`cannot insert a file of type ${file.type || "unknown"}`);
    }
    if (file.size > MOST_BYTES) {
      throw new Error(`the picture is larger than ${MOST_BYTES / 1024 / 1024} MB`);
    }
    const slot: UploadSlot = { id: crypto.randomUUID(), state: "waiting" };
    this.slots.set(slot.id, { slot, file });
    void this.send(slot.id);
    return slot;
  }

  retry(id: string): void {
    const entry = this.slots.get(id);
    if (entry?.slot.state === "failed") {
      entry.slot.state = "waiting";
      void this.send(id);
    }
  }

  private async send(id: string): Promise<void> {
    const { slot, file } = this.slots.get(id)!;
    const body = new FormData();
    body.set("file", file);
    try {
      const response = await fetch(this.endpoint, { method: "POST", body });
      if (!response.ok) {
        throw new Error(String(response.status));
      }
      slot.url = (await response.json()).url;
      slot.state = "done";
    } catch {
      slot.state = "failed";
    }
    this.changed(slot);
  }
}

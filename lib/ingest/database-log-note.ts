import type { Note } from "@/lib/trajectory/schema";
import { NoteBook } from "./notes";
import type { DatabaseLog } from "./source";

const MESSAGES: Record<Exclude<DatabaseLog, "none">, { level: Note["level"]; message: string }> = {
  read: { level: "information", message: "The database was read with the write-ahead log beside it (its -wal file)" },
  missing: {
    level: "information",
    message:
      "The database is used with a write-ahead log: what stood only in its -wal file, if there is one, is not in this trajectory. Dropped together, both are read",
  },
  unusable: {
    level: "not_understood",
    message:
      "The write-ahead log beside the database (its -wal file) is damaged or of another database; what stands only in it is not in this trajectory",
  },
};

/** What is said about the write-ahead log of a database; nothing when it was used without one. */
export function noteLog(log: DatabaseLog): Note[] {
  if (log === "none") return [];
  const notes = new NoteBook();
  const { level, message } = MESSAGES[log];
  notes.add("write_ahead_log", level, message, null);
  return notes.list();
}

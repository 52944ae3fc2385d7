import { buffer } from "node:stream/consumers";
import { deflateRawSync } from "node:zlib";
import { pack } from "tar-stream";

/** An entry of a tar. */
export interface Entry {
  name: string;
  content?: string | Buffer;
  type?: "file" | "symlink" | "link" | "directory" | "fifo" | "character-device";
  linkname?: string;
}

/** A tar as tools write it. */
export async function tar(entries: Entry[]): Promise<Buffer> {
  const archive = pack();
  const whole = buffer(archive);
  for (const { name, content = "", type = "file", linkname } of entries) {
    archive.entry({ name, type, ...(linkname ? { linkname } : {}) }, type === "file" ? content : "");
  }
  archive.finalize();
  return whole;
}

/** An entry of a zip; `claimedSize` is what its headers say, whatever comes out. */
export interface ZipEntry {
  name: string;
  content: Buffer;
  unixMode?: number;
  claimedSize?: number;
}

/** A zip made by hand, so that it can say what no honest tool writes. */
export function zip(entries: ZipEntry[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, unixMode = 0o100644, claimedSize = content.length } of entries) {
    const packed = deflateRawSync(content);
    const label = Buffer.from(name, "utf8");
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedSize, 18);
    common.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, label, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((unixMode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 3]), common, tail, label]));
    bodies.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, central, Buffer.from("PK\u0005\u0006"), end]);
}

/** A zip whose directory names one local entry `times` times over, with a zip64 end when there are too many for a plain one. */
export function zipOfOne(entry: ZipEntry, times: number): Buffer {
  const one = zip([entry]);
  const directoryAt = one.length - 22 - (46 + Buffer.byteLength(entry.name));
  const local = one.subarray(0, directoryAt);
  const record = one.subarray(directoryAt, one.length - 22);
  const directory = Buffer.alloc(record.length * times, record);
  const end64 = Buffer.alloc(56);
  end64.write("PK\u0006\u0006", 0, "latin1");
  end64.writeBigUInt64LE(44n, 4);
  end64.writeBigUInt64LE(BigInt(times), 24);
  end64.writeBigUInt64LE(BigInt(times), 32);
  end64.writeBigUInt64LE(BigInt(directory.length), 40);
  end64.writeBigUInt64LE(BigInt(local.length), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\u0006\u0007", 0, "latin1");
  locator.writeBigUInt64LE(BigInt(local.length + directory.length), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.fill(0xff, 8, 20);
  return Buffer.concat([local, directory, end64, locator, end]);
}

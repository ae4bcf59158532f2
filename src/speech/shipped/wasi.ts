/**
 * The functions of WASI preview 1 that flite imports: arguments, files in memory, the end of the program. There is no
 * disk, no network, no environment and no clock. Names, arguments and numbers are from the specification
 * (wasi_snapshot_preview1). An argument that ends in `At` is an address in the program's memory.
 *
 * `node:wasi` has these functions too. But it is experimental, prints a warning on standard error, and uses the disk.
 */
import { createMemoryFile, type MemoryFile } from './memory-file.ts';

/** `errno`. */
const OK = 0;
const BAD_DESCRIPTOR = 8;
const NO_ENTRY = 44;
const NOT_SEEKABLE = 70;

/** `filetype`. */
const CHARACTER_DEVICE = 2;
const DIRECTORY = 3;
const REGULAR_FILE = 4;

/** `oflags`, `fdflags` and `whence`. */
const OPEN_CREATE = 1;
const OPEN_TRUNCATE = 8;
const FD_APPEND = 1;
const SEEK_SET = 0;
const SEEK_CURRENT = 1;

/** Bytes of an `iovec` (address and length of a part of the memory) and of an `fdstat`, which ends in two rights. */
const IOVEC_BYTES = 8;
const FDSTAT_BYTES = 24;
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn;

/** The one directory that the program finds, and its descriptor: the first after the standard streams. */
const ROOT = '/';
const ROOT_FD = 3;

/** The input and the output of a program. */
export type Surroundings = {
  /** The name of the program, and its arguments. */
  readonly args: readonly string[];
  /** By name, without a folder. */
  readonly files: Map<string, MemoryFile>;
  /** The most bytes of a file that the program makes. */
  readonly fileBytesMax: number;
};

/** Thrown through the code of a program that ends itself. */
export class ProgramExit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`the program ended with code ${code}`);
    this.code = code;
  }
}

/**
 * Returns the functions for one run of a program.
 * @param buffer returns the program's memory, which is another buffer whenever it has grown
 */
export function wasiFunctions(surroundings: Surroundings, buffer: () => ArrayBuffer) {
  const memory = memoryOf(buffer);
  const opened = new Map<number, OpenFile>();
  return {
    ...argumentFunctions(surroundings.args, memory),
    ...openingFunctions(surroundings, opened, memory),
    ...transferFunctions(opened, memory),
    // The program measures its time and does not use the result, so the clock stands at 0.
    clock_time_get: (_clock: number, _precision: bigint, timeAt: number) => memory.set64(timeAt, 0n),
    proc_exit: (code: number) => {
      throw new ProgramExit(code);
    },
  };
}

type OpenFile = { readonly file: MemoryFile; at: number };

/** Numbers are unsigned and little-endian. Setting one returns OK. */
type Memory = {
  bytes(at: number, length: number): Uint8Array;
  get32(at: number): number;
  set32(at: number, value: number): number;
  set64(at: number, value: bigint): number;
};

function memoryOf(buffer: () => ArrayBuffer): Memory {
  return {
    bytes: (at, length) => new Uint8Array(buffer(), at, length),
    get32: (at) => new DataView(buffer()).getUint32(at, true),
    set32: (at, value) => {
      new DataView(buffer()).setUint32(at, value, true);
      return OK;
    },
    set64: (at, value) => {
      new DataView(buffer()).setBigUint64(at, value, true);
      return OK;
    },
  };
}

function argumentFunctions(args: readonly string[], memory: Memory) {
  const texts = args.map((arg) => Buffer.from(`${arg}\0`));
  return {
    args_sizes_get: (countAt: number, bytesAt: number) => {
      memory.set32(countAt, texts.length);
      return memory.set32(bytesAt, Buffer.concat(texts).length);
    },
    args_get: (addressesAt: number, textsAt: number) => {
      let textAt = textsAt;
      for (const [i, text] of texts.entries()) {
        memory.set32(addressesAt + 4 * i, textAt);
        memory.bytes(textAt, text.length).set(text);
        textAt += text.length;
      }
      return OK;
    },
  };
}

/** The arguments of `path_open`. */
type PathOpen = [
  ...[directory: number, lookup: number, nameAt: number, nameBytes: number, flags: number],
  ...[rights: bigint, inheritedRights: bigint, fdFlags: number, fdAt: number],
];

function openingFunctions({ files, fileBytesMax }: Surroundings, opened: Map<number, OpenFile>, memory: Memory) {
  let lastFd = ROOT_FD;
  return {
    fd_prestat_get: (fd: number, prestatAt: number) => {
      if (fd !== ROOT_FD) return BAD_DESCRIPTOR;
      memory.set32(prestatAt, 0);
      return memory.set32(prestatAt + 4, ROOT.length);
    },
    fd_prestat_dir_name: (fd: number, nameAt: number) => {
      if (fd !== ROOT_FD) return BAD_DESCRIPTOR;
      memory.bytes(nameAt, ROOT.length).set(Buffer.from(ROOT));
      return OK;
    },
    path_open: (...[, , nameAt, nameBytes, flags, , , fdFlags, fdAt]: PathOpen) => {
      const name = Buffer.from(memory.bytes(nameAt, nameBytes)).toString();
      if (!files.has(name) && (flags & OPEN_CREATE) === 0) return NO_ENTRY;
      const file = files.get(name) ?? createMemoryFile(fileBytesMax);
      files.set(name, file);
      if ((flags & OPEN_TRUNCATE) !== 0) file.empty();
      opened.set(++lastFd, { file, at: (fdFlags & FD_APPEND) === 0 ? 0 : file.size() });
      return memory.set32(fdAt, lastFd);
    },
    fd_fdstat_get: (fd: number, statAt: number) => {
      const type = fd < ROOT_FD ? CHARACTER_DEVICE : fd === ROOT_FD ? DIRECTORY : REGULAR_FILE;
      memory.bytes(statAt, FDSTAT_BYTES).fill(0)[0] = type;
      memory.set64(statAt + FDSTAT_BYTES - 16, ALL_RIGHTS);
      return memory.set64(statAt + FDSTAT_BYTES - 8, ALL_RIGHTS);
    },
    fd_fdstat_set_flags: () => OK,
    fd_close: (fd: number) => (opened.delete(fd) ? OK : BAD_DESCRIPTOR),
  };
}

function transferFunctions(opened: ReadonlyMap<number, OpenFile>, memory: Memory) {
  /** Moves each part of the memory in a list of iovecs, and stores the number of moved bytes. */
  const move = (listAt: number, count: number, doneAt: number, moveBytes: (part: Uint8Array) => number) => {
    let done = 0;
    for (let at = listAt; at < listAt + IOVEC_BYTES * count; at += IOVEC_BYTES) {
      done += moveBytes(memory.bytes(memory.get32(at), memory.get32(at + 4)));
    }
    return memory.set32(doneAt, done);
  };
  /** Moves the position in a file forward by `bytes`, and returns `bytes`. */
  const moveOn = (open: OpenFile, bytes: number) => {
    open.at += bytes;
    return bytes;
  };
  return {
    fd_read: (fd: number, listAt: number, count: number, doneAt: number) => {
      const open = opened.get(fd);
      if (open === undefined) return BAD_DESCRIPTOR;
      return move(listAt, count, doneAt, (part) => moveOn(open, open.file.read(part, open.at)));
    },
    fd_write: (fd: number, listAt: number, count: number, doneAt: number) => {
      const open = opened.get(fd);
      if (open !== undefined) {
        return move(listAt, count, doneAt, (part) => moveOn(open, open.file.write(part, open.at)));
      }
      // The program writes remarks about its voices to the standard streams. They are dropped.
      return fd < ROOT_FD ? move(listAt, count, doneAt, (part) => part.length) : BAD_DESCRIPTOR;
    },
    fd_seek: (fd: number, offset: bigint, whence: number, positionAt: number) => {
      const open = opened.get(fd);
      if (open === undefined) return fd < ROOT_FD ? NOT_SEEKABLE : BAD_DESCRIPTOR;
      const from = whence === SEEK_SET ? 0 : whence === SEEK_CURRENT ? open.at : open.file.size();
      open.at = from + Number(offset);
      return memory.set64(positionAt, BigInt(open.at));
    },
  };
}

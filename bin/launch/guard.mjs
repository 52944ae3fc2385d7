// Runs one command and ends it when the launcher is gone. The launcher holds the other end of the pipe on descriptor 3 and
// never writes to it: the pipe closes when the launcher stops this command, and also when the launcher is killed with -9.
//
//   node guard.mjs '{"launcher":1234,"stopSignal":"SIGTERM","graceMs":6000}' COMMAND ARGUMENTS...
//
// The guard leads a process group of its own (it is started detached), so a Ctrl-C in the terminal reaches the launcher
// alone, and what the command has started can be ended with it.
import { spawn } from "node:child_process";
import net from "node:net";
import { constants } from "node:os";

const [how, command, ...args] = process.argv.slice(2);
const { launcher, stopSignal, graceMs, uid, gid } = JSON.parse(how);

// The command gets the pipe too: the worker watches it itself, so that it ends even when this guard is killed.
const child = spawn(command, args, { stdio: ["inherit", "inherit", "inherit", 3], uid, gid, windowsHide: true });
let stopping = false;

/** Ends everything in the group, this guard included. */
function killGroup() {
  child.kill("SIGKILL");
  if (process.platform !== "win32") process.kill(-process.pid, "SIGKILL");
  process.exit(137);
}

function stop() {
  if (stopping) return;
  stopping = true;
  child.kill(stopSignal);
  setTimeout(killGroup, graceMs);
}

const pipe = new net.Socket({ fd: 3, readable: true, writable: false });
pipe.on("close", stop);
pipe.on("error", stop);
pipe.resume();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
// The terminal may be gone when the last words are written.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

child.on("error", (error) => {
  process.stderr.write(`${command} could not be started: ${error.message}\n`);
  process.exit(127);
});
child.on("exit", (code, signal) => {
  // With the launcher gone nobody else ends what the command left behind; otherwise the launcher does, once it has the code.
  if (process.ppid !== launcher) killGroup();
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
});

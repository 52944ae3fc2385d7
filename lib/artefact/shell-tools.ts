const SHELL_TOOLS = new Set([
  "bash",
  "execute_bash",
  "shell",
  "sh",
  "run",
  "run_shell_command",
  "run_command",
  "terminal",
  "run_terminal_cmd",
  "execute_command",
  "exec",
  "command",
  "bash_tool",
  "container.exec",
  "developer__shell",
  "exec_command",
  "local_shell",
  "run_bash",
  "run_in_terminal",
  "shell_command",
  "write_stdin",
  // What is typed into a terminal; such a call has a text only where that certainly is a command line.
  "keystrokes",
  "bash_command",
]);

/** The arguments in which such tools take their command line. */
export const COMMAND_KEYS = ["command", "cmd", "script", "CommandLine"] as const;

/** True for tools that run command lines of a POSIX shell. */
export function isShellTool(tool: string): boolean {
  return SHELL_TOOLS.has(tool.toLowerCase());
}

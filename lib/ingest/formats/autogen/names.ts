/** Names that AutoGen and its examples give to whoever stands in for a person. */
const PERSON = /^(?:user|human|admin)$|^(?:user|human|admin)[ _-]?(?:proxy|input)|proxy$/i;
const EXECUTOR = /execut(?:or|er)$|^computer[_ ]?terminal$/i;

/** Whether a name is that of a person's stand-in. */
export function isPersonName(name: string): boolean {
  return PERSON.test(name.trim());
}

/** Whether a name is that of an agent that only runs what others wrote. */
export function isExecutorName(name: string): boolean {
  return EXECUTOR.test(name.trim());
}

const AUTO_REPLIES =
  /^There is no code from the last \d+ messages? for me to execute|^No code blocks found|^Please continue\. If you think|^\s*$/;

/** Whether a text is what a stand-in answers by itself: nothing, or the sentence that it was given. */
export function isAutoReply(text: string): boolean {
  return AUTO_REPLIES.test(text);
}

/** The bytes of one upload and the name that the client gave it. The name is a hint for people, never a path. */
export interface Source {
  name: string;
  bytes: Uint8Array;
}

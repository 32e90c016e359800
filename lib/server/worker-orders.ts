import type { Tls } from "./listeners";

/** What the process that keeps the workers says to each of them. */
export type Order =
  /** The first one, when it hears, and when the certificate has been renewed. */
  | { readonly order: "serve"; readonly tls: Tls | undefined }
  | { readonly order: "stop" }
  /** For whoever asks a second time: running requests are cut off. */
  | { readonly order: "hurry" };

/** What a worker says: that it hears, since orders that come before are lost; and that its hosts are open. */
export type Said = "hears" | "ready";

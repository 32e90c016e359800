import type { ReactNode } from "react";

/** A text message, as a phone shows it. */
export function MessageBubble({ text }: { readonly text: string }) {
  return (
    <p className="mb-1 max-w-112 rounded-card rounded-es-none bg-tint px-4 py-3 wrap-anywhere">
      {text}
    </p>
  );
}

/** Newest first. */
export function Messages({ children }: { readonly children: ReactNode }) {
  return <ol className="mt-5 grid gap-5">{children}</ol>;
}

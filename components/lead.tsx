import type { ReactNode } from "react";

type Props = { readonly lang?: string; readonly children: ReactNode };

/** Says in a sentence or two what the page is for, or what follows from it. */
export function Lead({ lang, children }: Props) {
  return (
    <p lang={lang} className="mt-2.5 max-w-text wrap-anywhere">
      {children}
    </p>
  );
}

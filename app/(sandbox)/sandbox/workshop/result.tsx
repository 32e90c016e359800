"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { ErrorSummary } from "@/components/notice";

type Props = { readonly id: string; readonly title: string; readonly children: ReactNode };

/**
 * An answer, whose heading gets the focus, so that it is seen and read out: by the script that has put
 * it there, and without scripts by the browser when it has loaded the page.
 */
export function Result({ id, title, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="result" aria-labelledby={id}>
      {/* biome-ignore lint/a11y/noAutofocus: it is the answer to what the person has just sent */}
      <h3 id={id} ref={heading} tabIndex={-1} autoFocus>
        {title}
      </h3>
      {children}
    </section>
  );
}

type RefusedFormProps = { readonly title: string; readonly text: string; readonly field: string };

/** What is wrong with a form. It gets the focus as an answer does. */
export function RefusedForm({ title, text, field }: RefusedFormProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/noAutofocus: it is the answer to what the person has just sent
    <div className="result" ref={place} tabIndex={-1} autoFocus>
      <ErrorSummary title={title} text={text} field={field} />
    </div>
  );
}

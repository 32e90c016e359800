"use client";

import { useEffect, useRef } from "react";
import { ErrorSummary } from "@/components/error-summary";

type Props = { readonly title: string; readonly text: string; readonly field: string };

/** What is wrong with a form. It gets the focus as an answer does. */
export function RefusedForm({ title, text, field }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/noAutofocus: it is the answer to what the person has just sent
    <div className="result" ref={place} tabIndex={-1} autoFocus>
      <ErrorSummary title={title} text={text} field={field} />
    </div>
  );
}

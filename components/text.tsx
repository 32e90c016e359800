import { Fragment, type ReactNode } from "react";
import type { Iban } from "@/lib/domain/values";

type Children = { readonly children: ReactNode };

/** Says in a sentence or two what the page is for, or what follows from it. */
export function Lead({ lang, children }: Children & { readonly lang?: string }) {
  return (
    <p lang={lang} className="mt-2.5 max-w-text wrap-anywhere">
      {children}
    </p>
  );
}

/** Less important text on the line above it. */
export function Detail({ id, children }: Children & { readonly id?: string }) {
  return (
    <small id={id} className="block text-small text-muted">
      {children}
    </small>
  );
}

/**
 * Terms with their labels, beside or, on a narrow screen, above them. Two lists after each other
 * look like one.
 */
export function Terms({ children }: Children) {
  return <dl className="my-5 border-b border-line [dl+&]:-mt-[calc(1.25rem+1px)]">{children}</dl>;
}

export function Term({ label, children }: Children & { readonly label: string }) {
  return (
    <div className="break-inside-avoid gap-x-4 border-t border-line py-3 wide:grid wide:grid-cols-[minmax(7rem,9rem)_minmax(0,1fr)]">
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

type AccountTextProps = {
  readonly name?: string | undefined;
  readonly iban: Iban;
  readonly currency?: string | undefined;
};

/** Name, IBAN and currency, which together name one (sub-)account. */
export function AccountText({ name, iban, currency }: AccountTextProps) {
  return (
    <>
      {name !== undefined && (
        <>
          <span className="block font-strong">{name}</span>{" "}
        </>
      )}
      <IbanText iban={iban} />
      {currency !== undefined && (
        <>
          {" "}
          <span className="font-strong">{currency}</span>
        </>
      )}
    </>
  );
}

export function AccountList({ children }: Children) {
  return <ul className="mb-1.5 grid gap-2.5">{children}</ul>;
}

/**
 * In groups of four for the eye only: read out, found and copied it is one word without blanks.
 */
function IbanText({ iban }: { readonly iban: Iban }) {
  const groups = iban.match(/.{1,4}/g) ?? [];
  return (
    <span className="tabular-nums">
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups repeat, and never change their order
        <Fragment key={at}>
          {at > 0 && <wbr />}
          <span className="me-[0.28em] whitespace-nowrap">{group}</span>
        </Fragment>
      ))}
    </span>
  );
}

/** What a page is about. */
export function Card({ children }: Children) {
  return (
    <div className="rounded-card border border-line bg-card p-card print:border-0 print:bg-transparent print:p-0">
      {children}
    </div>
  );
}

export type PartProps = Children & {
  /** The heading's, which names the part. */
  readonly id: string;
  readonly heading: ReactNode;
};

/** A part of a page that has a heading of its own. */
export function Part({ id, heading, children }: PartProps) {
  return (
    <section aria-labelledby={id} className="mt-9">
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  );
}

/** The part of a page in which something is answered; nothing of it is to be printed. */
export function Panel({ children }: Children) {
  return <div className="mt-6 rounded-card bg-sunk p-5 print:hidden">{children}</div>;
}

/** What belongs together in a part of a page. */
export function Group({ id, heading, children }: PartProps) {
  return (
    <section
      aria-labelledby={id}
      className="mt-4 rounded-box border border-line p-4 wide:p-5 print:border-0 print:p-0"
    >
      <h3 id={id}>{heading}</h3>
      {children}
    </section>
  );
}

export function GroupItem({ id, heading, children }: PartProps) {
  return (
    <article aria-labelledby={id} className="mt-5">
      <h4 id={id}>{heading}</h4>
      {children}
    </article>
  );
}

/** What is said of it in a line, and less important text below. */
export function Summary({ strong, detail, children }: SummaryProps) {
  return (
    <p className="max-w-text wrap-anywhere">
      <strong>{strong}</strong>: {children}
      {detail !== undefined && <Detail>{detail}</Detail>}
    </p>
  );
}

type SummaryProps = Children & { readonly strong: string; readonly detail?: string | undefined };

export function Links({ children }: Children) {
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-1.5 *:py-0.5 print:hidden">
      {children}
    </p>
  );
}

/** What the page below is part of. */
export function Caption({ strong = false, children }: Children & { readonly strong?: boolean }) {
  const weight = strong ? "mb-2.5 font-strong" : "mb-1.5 text-small";
  return <p className={`text-muted wrap-anywhere ${weight}`}>{children}</p>;
}

/** Actions of every page, above its content. */
export function TopLine({ children }: Children) {
  return <div className="mb-2 flex justify-end print:hidden">{children}</div>;
}

/** Read out, not seen. */
export function Unseen({ children }: Children) {
  return <span className="sr-only">{children}</span>;
}

export function MessageBubble({ text }: { readonly text: string }) {
  return (
    <p className="mb-1 max-w-112 rounded-card rounded-es-none bg-tint px-4 py-3 wrap-anywhere">
      {text}
    </p>
  );
}

/** Newest first. */
export function Messages({ children }: Children) {
  return <ol className="mt-5 grid gap-5">{children}</ol>;
}

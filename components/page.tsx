import "./look/look.css";
import type { ReactNode } from "react";
import { Card, Lead } from "./text";

type BankFrame = {
  readonly title: string;
  /** Missing where nothing can be known of the bank any more. */
  readonly bankName?: string;
  /** Which part of the bank this is. */
  readonly place: string;
  /** The form that switches the language, where there is more than one. */
  readonly languages?: ReactNode;
};

type Props = BankFrame & {
  /** Pages of the bank's staff have tables, which need more room than a customer's question. */
  readonly width?: keyof typeof columns;
  /** Below the bank's name, on every page of a part. */
  readonly navigation?: ReactNode;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
};

const columns = {
  page: "mx-auto w-full max-w-page px-5",
  console: "mx-auto w-full max-w-console px-5",
};

/** The bank's look around whatever a page says. */
export function BankPage({ title, bankName, place, languages, ...page }: Props) {
  const { width = "page", navigation, footer, children } = page;
  const column = columns[width];
  return (
    <>
      <title>{title}</title>
      <header className="border-b border-line bg-card">
        <div
          className={`bank-inner flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3.5 ${column}`}
        >
          <span className="flex items-center gap-x-3">
            <BankMark />
            <span className="font-serif text-part leading-tight font-strong">{bankName}</span>
          </span>
          <span className="flex grow flex-wrap items-center justify-between gap-x-3 text-small wide:justify-end">
            <span className="text-muted">{place}</span>
            {languages}
          </span>
        </div>
        {navigation !== undefined && <div className={column}>{navigation}</div>}
      </header>
      <main className={`pt-5 pb-6 wide:pt-8 ${column}`}>{children}</main>
      {footer !== undefined && (
        <footer className={`grid gap-1.5 pb-10 text-small text-muted ${column}`}>{footer}</footer>
      )}
    </>
  );
}

/** Two towers and the bridge between them, half lowered. */
function BankMark() {
  return (
    <svg className="bank-mark size-8" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="fill-brand" width="32" height="32" rx="7" />
      <path
        className="fill-none stroke-on-brand stroke-[2.4]"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M8 25V9h4v16M20 25V9h4v16M5.500 25h21M12 17.500l8-6.500M12 21h8"
      />
    </svg>
  );
}

type NoticePageProps = BankFrame & {
  readonly heading: string;
  readonly lead: string;
  readonly children?: ReactNode;
};

export function NoticePage({ heading, lead, children, ...frame }: NoticePageProps) {
  return (
    <BankPage {...frame}>
      <Card>
        <h1>{heading}</h1>
        <Lead>{lead}</Lead>
        {children}
      </Card>
    </BankPage>
  );
}

type DocumentProps = {
  readonly lang: string;
  /** The version of the bank's own theme, where it has one: lib/profile/theme.ts. */
  readonly theme?: string | undefined;
  readonly children: ReactNode;
};

export function Document({ lang, theme, children }: DocumentProps) {
  return (
    <html lang={lang}>
      {/* biome-ignore lint/style/noHeadElement: next/head does not exist in the App Router */}
      <head>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        {theme !== undefined && <link rel="stylesheet" href={`/theme/theme.css?v=${theme}`} />}
        <script type="module" src="/built/psu.js" />
      </head>
      <body>{children}</body>
    </html>
  );
}

import type { ReactNode } from "react";
import { Actions, Button, ButtonLink, TextButton } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { PostForm, TextField } from "@/components/form";
import { LanguageSwitch, TimeLimit } from "@/components/frame";
import { ErrorSummary, GoodNews } from "@/components/notice";
import { BankPage, NoticePage } from "@/components/page";
import { Card, Lead } from "@/components/text";
import { mayDo, type StaffAction } from "@/lib/domain/staff";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { REASON_CHARACTERS_MAX } from "@/lib/staff/cases";
import { type Said, said as saidKinds } from "@/lib/staff/forms";
import {
  type LoadPage,
  loadStaffAlone,
  loadStaffPage,
  type StaffFrame,
} from "@/lib/staff/page-loaders";
import {
  BLOCKS,
  EVENTS,
  HEALTH,
  HOME,
  KEYS,
  SEARCH,
  SIGN_OUT,
  STATISTICS,
  STAY,
  SWITCH_PATH,
  TPPS,
} from "@/lib/staff/paths";
import type { Query, Table } from "@/lib/staff/table";
import type { StaffTexts } from "@/lib/staff/texts/en";
import { staffLimits } from "@/lib/staff/visit";

type Props = {
  readonly frame: StaffFrame;
  readonly heading: string;
  /** The field that is to be corrected. */
  readonly field?: string | undefined;
  readonly children: ReactNode;
};

export function StaffPage({ frame, heading, field, children }: Props) {
  const { texts, visit, said, path } = frame;
  const { name: bankName, staff } = visit.services.profile;
  const psuTexts = textsFor(visit.language);
  const title = texts.title(heading, bankName);
  const isError = said !== undefined && saidKinds[said] === "error";
  return (
    <BankPage
      title={isError ? texts.errorTitle(title) : title}
      bankName={bankName}
      width="console"
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path={path} action={SWITCH_PATH} />}
      navigation={<Navigation frame={frame} />}
      footer={
        <TimeLimit
          texts={psuTexts}
          end={psuTexts.timeLimit.session}
          limits={staffLimits(visit)}
          inactivityMinutes={staff.inactivityMinutes}
          stay={{ action: STAY, token: frame.stayToken }}
          fields={<input type="hidden" name="back" value={path} />}
          whenSignedOut={<ButtonLink href={path}>{texts.signIn.heading}</ButtonLink>}
        >
          {texts.frame.limits(staff)}
        </TimeLimit>
      }
    >
      <SaidNotice texts={texts} said={said} field={field} />
      <Card>
        <h1 id="heading">{heading}</h1>
        {children}
      </Card>
    </BankPage>
  );
}

type Linked = {
  readonly to: string;
  /** Undefined for what every operator may see. */
  readonly action: StaffAction | undefined;
  readonly name: keyof StaffTexts["navigation"];
};

const navigation: readonly Linked[] = [
  { to: HOME, action: undefined, name: "home" },
  { to: SEARCH, action: "search", name: "search" },
  { to: TPPS, action: "see-tpps", name: "tpps" },
  { to: BLOCKS, action: "see-tpps", name: "blocks" },
  { to: STATISTICS, action: "see-statistics", name: "statistics" },
  { to: HEALTH, action: "see-statistics", name: "health" },
  { to: KEYS, action: "see-statistics", name: "keys" },
  { to: EVENTS, action: "see-events", name: "events" },
];

/** The pages that these roles allow, who is signed in, and the way out. */
function Navigation({ frame: { texts, visit, path, signOutToken } }: Pick<Props, "frame">) {
  const { name, roles } = visit.operator;
  const shown = navigation.filter(({ action }) => action === undefined || mayDo(roles, action));
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 pb-3 print:hidden">
      <nav aria-label={texts.frame.navigation}>
        <ul className="flex flex-wrap gap-x-5 gap-y-1">
          {shown.map(({ to, name: page }) => (
            <li key={to} className="py-0.5">
              <a href={to} aria-current={to === path ? "page" : undefined}>
                {texts.navigation[page]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex flex-wrap items-center gap-x-4 text-small">
        <bdi>{texts.frame.signedInAs(name, roles)}</bdi>
        <PostForm action={SIGN_OUT} token={signOutToken}>
          <TextButton>{texts.frame.signOut}</TextButton>
        </PostForm>
      </div>
    </div>
  );
}

type SaidProps = Partial<Pick<Props, "field">> & {
  readonly texts: StaffTexts;
  readonly said: Said | undefined;
};

export function SaidNotice({ texts, said, field }: SaidProps) {
  if (said === undefined) return null;
  const text = texts.said[said];
  if (saidKinds[said] === "good") return <GoodNews text={text} />;
  return <ErrorSummary title={texts.frame.errorSummary} text={text} field={field} />;
}

/** The page that was asked for, or the one that says that something failed here. */
export async function staffPage<View>(
  asked: LoadPage<View>,
  show: (frame: StaffFrame, view: View) => ReactNode,
) {
  const loaded = await loadStaffPage(asked);
  return loaded === "fault" ? <StaffAlone what="fault" /> : show(loaded.frame, loaded.view);
}

type TablePage<Row> = LoadPage<Table<Row>> & {
  readonly words: (texts: StaffTexts) => { readonly heading: string; readonly lead: string };
  readonly asked: Query;
  readonly file: string;
};

export function tablePage<Row>({ words, asked, file, ...page }: TablePage<Row>) {
  return staffPage(page, (frame, table) => {
    const { heading, lead } = words(frame.texts);
    return (
      <StaffPage frame={frame} heading={heading}>
        <Lead>{lead}</Lead>
        <DataTable {...{ frame, table, asked, file }} labelledBy="heading" />
      </StaffPage>
    );
  });
}

type ReasonProps = {
  readonly frame: StaffFrame;
  readonly action: string;
  readonly token: string;
  readonly submit: string;
};

/** The form of what is done for a customer, with the reason that goes on record. */
export function ReasonForm({ frame, action, token, submit }: ReasonProps) {
  const { timeline: words } = frame.texts.cases;
  return (
    <PostForm action={action} token={token}>
      <TextField
        id="reason"
        label={words.reason}
        hint={words.reasonHint}
        input={{ name: "reason", maxLength: REASON_CHARACTERS_MAX, required: true }}
      />
      <Actions>
        <Button>{submit}</Button>
      </Actions>
    </PostForm>
  );
}

/** A page that says one thing, to whomever. */
export async function StaffAlone({ what }: { readonly what: keyof StaffTexts["alone"] }) {
  const { services, texts } = await loadStaffAlone(HOME);
  const { name } = services.profile;
  const notice = texts.alone[what];
  return (
    <NoticePage
      title={texts.title(notice.heading, name)}
      bankName={name}
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path={HOME} action={SWITCH_PATH} />}
      {...notice}
    >
      <Actions>
        <ButtonLink href={HOME}>{texts.toStart}</ButtonLink>
      </Actions>
    </NoticePage>
  );
}

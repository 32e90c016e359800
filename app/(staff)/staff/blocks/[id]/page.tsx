import { Actions, Button } from "@/components/button";
import { PostForm, TextField } from "@/components/form";
import { Lead, Links, Panel, Term, Terms } from "@/components/text";
import { mayDo } from "@/lib/domain/staff";
import { type BlockView, blockView } from "@/lib/staff/blocks";
import type { StaffFrame } from "@/lib/staff/page-loaders";
import { blockPath, tppPath } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import type { StaffTexts } from "@/lib/staff/texts/en";
import { StaffPage, staffPage } from "../../../staff-page";

export default async function BlockPage({ params }: Pick<PageProps, "params">) {
  const { id = "none" } = await params;
  const load = (visit: StaffFrame["visit"]) => blockView(visit, id);
  return staffPage({ action: "see-tpps", path: blockPath(id), load }, (frame, view) => {
    const { request, name } = view;
    const words = frame.texts.tpps;
    return (
      <StaffPage frame={frame} heading={words.blocks.about[request.action](name)}>
        <RequestTerms frame={frame} view={view} />
        <Decision frame={frame} view={view} />
        <Links>
          {request.decision?.outcome === "approved" && (
            <a href={`${blockPath(id)}/report`}>{words.blocks.report}</a>
          )}
          <a href={tppPath(request.tppId)}>{name}</a>
        </Links>
      </StaffPage>
    );
  });
}

type Props = { readonly frame: StaffFrame; readonly view: BlockView };

function RequestTerms({ frame, view: { request } }: Props) {
  const { texts, visit } = frame;
  const { tpps: words } = texts;
  const { timeZone } = visit.services.profile;
  const { decision, secrecy, until } = request;
  const by = (who: string, at: Date) => words.blocks.by(who, texts.instant(at, timeZone));
  return (
    <Terms>
      <Term label={words.requestColumns.state}>
        <strong>{words.outcomes[decision?.outcome ?? "open"]}</strong>
      </Term>
      <Term label={words.columns.id}>{request.tppId}</Term>
      <Term label={words.request.basis}>{words.bases[request.basis]}</Term>
      <Term label={words.request.reason}>
        <bdi className="whitespace-pre-line">{request.reason}</bdi>
      </Term>
      {request.action === "block" && (
        <Term label={words.columns.blocked}>
          {words.blockedUntil(until && texts.instant(until, timeZone))}
        </Term>
      )}
      <Term label={words.request.tell}>
        {secrecy === undefined ? words.request.told : words.secrecy[secrecy.ground]}
        {secrecy !== undefined && <p>{secrecy.reason}</p>}
      </Term>
      <Term label={words.blocks.requested}>{by(request.requestedBy, request.requestedAt)}</Term>
      {decision !== undefined && (
        <Term label={words.blocks.decided}>{by(decision.by, decision.at)}</Term>
      )}
      {decision?.note !== undefined && <Term label={words.blocks.note}>{decision.note}</Term>}
    </Terms>
  );
}

/** What this operator may do about an open request: its requester may withdraw it, another operator decides it. */
function Decision({ frame, view: { request, isOwn, forms } }: Props) {
  const { blocks: words } = frame.texts.tpps;
  if (request.decision !== undefined) return null;
  if (!isOwn && !mayDo(frame.visit.operator.roles, "approve-block")) return null;
  const may = (verb: Form["verb"]) => forms.some((form) => form.verb === verb);
  const own = may("withdraw") ? words.own : words.ownByClient;
  return (
    <Panel>
      {isOwn && <Lead>{own}</Lead>}
      {!isOwn && !may("approve") && <Lead>{words.over}</Lead>}
      {forms.map((form) => (
        <DecisionForm key={form.verb} words={words} form={form} />
      ))}
    </Panel>
  );
}

type Form = BlockView["forms"][number];
type FormProps = { readonly words: StaffTexts["tpps"]["blocks"]; readonly form: Form };

function DecisionForm({ words, form: { verb, action, token } }: FormProps) {
  return (
    <PostForm action={action} token={token}>
      {verb !== "withdraw" && (
        <TextField
          id={`note-${verb}`}
          label={words.noteLabel[verb]}
          input={{ name: "note", maxLength: 500 }}
        />
      )}
      <Actions>
        <Button kind={verb === "approve" ? "main" : "counter"}>{words[verb]}</Button>
      </Actions>
    </PostForm>
  );
}

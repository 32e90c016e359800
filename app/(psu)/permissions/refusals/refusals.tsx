import { Actions, Button, TextButton } from "@/components/button";
import { PostForm } from "@/components/form";
import { Detail, Group, Lead, Links, Part } from "@/components/text";
import type { RefusalsView } from "@/lib/psu/opt-outs";
import { HOME, REFUSALS, refusalsPath } from "@/lib/psu/paths";
import type { Texts } from "@/lib/psu/texts/en";
import { OwnPage } from "../../own-channel-page";

type Props = { readonly texts: Texts; readonly view: RefusalsView };

/** What nobody, or one provider, may ask this customer for. */
export function Refusals({ texts, view }: Props) {
  const { refusals: words } = texts.permissions;
  const { tpp, next } = view;
  return (
    <OwnPage texts={texts} view={view} path={refusalsPath(tpp?.id)} heading={words.heading}>
      <Lead>{words.lead}</Lead>
      <Offers texts={texts} view={view} />
      <Part id="standing" heading={words.standing}>
        {view.standing.length === 0 && <p>{words.none}</p>}
        {view.standing.map((one) => (
          <Standing key={one.position} texts={texts} view={view} one={one} />
        ))}
      </Part>
      <Links>
        {next !== undefined && <a href={refusalsPath(tpp?.id, next)}>{texts.permissions.older}</a>}
        {tpp !== undefined && <a href={REFUSALS}>{words.toEvery}</a>}
        <a href={HOME}>{texts.permissions.toList}</a>
      </Links>
    </OwnPage>
  );
}

/** One form for each kind, which says all of what it does. */
function Offers({ texts, view: { tpp, offered, tokens } }: Props) {
  const { refusals: words } = texts.permissions;
  if (offered.length === 0) return null;
  const heading = tpp === undefined ? words.ofEvery : words.ofOne(texts.quoted(tpp.name));
  return (
    <Part id="offered" heading={heading}>
      {offered.map((kind) => (
        <PostForm key={kind} action={`${REFUSALS}/set`} token={tokens.refuse}>
          <input type="hidden" name="kind" value={kind} />
          {tpp !== undefined && <input type="hidden" name="tpp" value={tpp.id} />}
          <Actions>
            <Button kind="counter">{words.refuse[kind]}</Button>
          </Actions>
        </PostForm>
      ))}
    </Part>
  );
}

type StandingProps = Props & { readonly one: RefusalsView["standing"][number] };

function Standing({ texts, view: { tokens, timeZone }, one }: StandingProps) {
  const { refusals: words } = texts.permissions;
  const { position, kind, setAt, setBy } = one;
  const tpp = "tpp" in one ? one.tpp : undefined;
  const whose = tpp === undefined ? words.any : texts.quoted(tpp.name);
  const since = texts.instant(setAt, timeZone);
  return (
    <Group id={`refusal-${position}`} heading={<bdi>{words.refused[kind](whose)}</bdi>}>
      <Detail>{setBy === undefined ? words.since(since) : words.sinceByBank(since)}</Detail>
      <PostForm action={`${REFUSALS}/end`} token={tokens["refuse-no-more"]}>
        <input type="hidden" name="kind" value={kind} />
        {tpp !== undefined && <input type="hidden" name="tpp" value={tpp.id} />}
        <TextButton aria-describedby={`refusal-${position}`}>{words.allow}</TextButton>
      </PostForm>
    </Group>
  );
}

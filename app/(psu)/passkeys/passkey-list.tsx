import { Detail } from "@/components/detail";
import { Lead } from "@/components/lead";
import { Links } from "@/components/links";
import { Part } from "@/components/part";
import { dayIn } from "@/lib/domain/iso-date";
import type { Passkey } from "@/lib/domain/passkeys/passkey";
import { type PasskeysView, removePath } from "@/lib/psu/own-channel/passkeys-view";
import { HOME, PASSKEYS } from "@/lib/psu/own-channel/paths";
import type { Texts } from "@/lib/psu/texts/texts";
import { OwnPage } from "../own-channel/own-page";
import { AddPasskey } from "./add-passkey";
import { SignInFirst } from "./sign-in-first";

type Props = { readonly texts: Texts; readonly view: PasskeysView };

/** What confirms in place of a code, and the way to one more. */
export function PasskeyList({ texts, view }: Props) {
  const { passkeys: words } = texts;
  const { passkeys, passkeysMax, outcome } = view;
  const Adding = view.mayAdd ? AddPasskey : SignInFirst;
  return (
    <OwnPage
      texts={texts}
      frame={view}
      path={PASSKEYS}
      heading={words.heading}
      outcome={outcome}
      signedIn
    >
      <Lead>{words.lead}</Lead>
      {passkeys.length === 0 && <p>{words.none}</p>}
      {passkeys.map((passkey) => (
        <Entry key={passkey.id} texts={texts} view={view} passkey={passkey} />
      ))}
      <h2>{words.addHeading}</h2>
      {passkeys.length < passkeysMax ? (
        <Adding texts={texts} view={view} />
      ) : (
        <p>{words.noMore(passkeysMax)}</p>
      )}
      <Links>
        <a href={HOME}>{words.toPermissions}</a>
      </Links>
    </OwnPage>
  );
}

function Entry({ texts, view, passkey }: Props & { readonly passkey: Passkey }) {
  const { passkeys: words } = texts;
  const { name, createdAt, lastUsedAt } = passkey;
  const dayOf = (instant: Date) => dayIn(view.timeZone, instant);
  const id = `passkey-${passkey.id}`;
  return (
    <Part id={id} heading={<bdi>{name}</bdi>}>
      <p>
        {words.added(dayOf(createdAt))}
        <Detail>
          {lastUsedAt === undefined ? words.neverUsed : words.lastUsed(dayOf(lastUsedAt))}
        </Detail>
      </p>
      <Links>
        <a href={removePath(passkey)} aria-describedby={id}>
          {words.remove}
        </a>
      </Links>
    </Part>
  );
}

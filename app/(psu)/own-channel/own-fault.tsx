import { Actions } from "@/components/actions";
import { ButtonLink } from "@/components/button";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Texts } from "@/lib/psu/texts/texts";
import { Alone } from "../authorise/alone";

type Props = { readonly texts: Texts; readonly path: string };

/** Something failed here. Trying again is the way on. */
export function OwnFault({ texts, path }: Props) {
  return (
    <Alone texts={texts} bankName={aspspProfile.name} notice={texts.alone.fault} path={path}>
      <Actions>
        <ButtonLink href={path}>{texts.tryAgain}</ButtonLink>
      </Actions>
    </Alone>
  );
}

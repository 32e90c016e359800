import { type BlockNotices, sendBlockNotice } from "@/lib/domain/psu-attempts";
import { textsFor } from "./texts/texts-for";

type Ports = Parameters<typeof sendBlockNotice>[0];
type Means = { readonly onFault: (error: unknown) => void };

/** Text messages about a block, each in its customer's language; nobody's answer waits for them. */
export function blockNotices(ports: Ports, { onFault }: Means): BlockNotices {
  const { name, defaultLanguage, languages, sca } = ports.profile;
  return {
    tell: (userId, notice, now) => {
      const wording = (known: string | undefined) => {
        const { signIn } = textsFor(languages.find((one) => one === known) ?? defaultLanguage);
        return signIn.blockNotices[notice](sca.blockMinutes, name);
      };
      sendBlockNotice(ports, { userId, wording, now }).catch(onFault);
    },
  };
}

import { Button } from "@/components/button";
import { PostForm } from "@/components/post-form";
import type { Frame } from "@/lib/psu/frame";
import { formPath } from "@/lib/psu/see-other";

const FORM_ID = "cancel";

/** The form that Cancel buttons send: a form of its own, so that Enter never means Cancel. */
export function CancelForm({ frame }: { readonly frame: Frame }) {
  return (
    <PostForm action={formPath(frame.uid, "cancel")} token={frame.tokens.cancel} id={FORM_ID}>
      <input type="hidden" name="ticket" value={frame.ticket} />
    </PostForm>
  );
}

export function CancelButton({ label }: { readonly label: string }) {
  return (
    <Button kind="counter" form={FORM_ID}>
      {label}
    </Button>
  );
}

import type { Brand } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/compliance.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Card, Row, Section } from '../../ui/page.tsx';

const t = texts.verification;

/** Confirms the code that the registry has texted to a sole proprietor, or requests another code. */
export function Verification({ brand }: { brand: Brand }) {
  const confirm = useWrite((api, code: string) => api.brands.confirmVerification(brand.id, { code }), {
    changes: ['brands'],
    done: ({ status }) => (status === 'vetted' ? t.brandVetted : t.codeRight),
  });
  const resend = useWrite((api) => api.brands.resendVerification(brand.id), {
    changes: ['brands'],
    done: () => t.anotherCodeWay,
  });
  return (
    <Section title={t.codeRegistry}>
      <Card label={t.codeRegistry}>
        <Form
          submit={t.confirmTheCode}
          fields={['code']}
          error={confirm.error}
          isPending={confirm.isPending}
          onSubmit={({ code }) => confirm.mutate(code ?? '')}
        >
          <TextField
            name="code"
            label={t.code}
            isRequired
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            hint={t.registryTextsPhone}
          />
        </Form>
        <Row>
          <Button isPending={resend.isPending} onPress={() => resend.mutate(undefined)}>
            {t.sendAnotherCode}
          </Button>
        </Row>
        <ErrorNote error={resend.error} />
      </Card>
    </Section>
  );
}

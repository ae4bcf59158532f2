import type { Brand } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Card, Row, Section } from '../../ui/page.tsx';

/** Confirms the code that the registry has texted to a sole proprietor, or has another one sent. */
export function Verification({ brand }: { brand: Brand }) {
  const confirm = useWrite((api, code: string) => api.brands.confirmVerification(brand.id, { code }), {
    changes: ['brands'],
    done: ({ status }) => (status === 'vetted' ? 'The brand is vetted.' : 'The code is right.'),
  });
  const resend = useWrite((api) => api.brands.resendVerification(brand.id), {
    changes: ['brands'],
    done: () => 'Another code is on its way to the phone.',
  });
  return (
    <Section title="Code of the registry">
      <Card label="Code of the registry">
        <Form
          submit="Confirm the code"
          fields={['code']}
          error={confirm.error}
          isPending={confirm.isPending}
          onSubmit={({ code }) => confirm.mutate(code ?? '')}
        >
          <TextField
            name="code"
            label="Code"
            isRequired
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            hint="The registry texts it to the phone of the brand. It is valid for 24 hours."
          />
        </Form>
        <Row>
          <Button isPending={resend.isPending} onPress={() => resend.mutate(undefined)}>
            Send another code
          </Button>
        </Row>
        <ErrorNote error={resend.error} />
      </Card>
    </Section>
  );
}

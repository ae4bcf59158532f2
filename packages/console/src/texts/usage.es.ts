import type { Translation } from '@dialplane/i18n';
import type { en } from './usage.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  kinds: {
    sms_segment_outbound: 'Segmentos de mensajes enviados',
    sms_segment_inbound: 'Segmentos de mensajes recibidos',
    mms_outbound: 'Mensajes multimedia enviados',
    mms_inbound: 'Mensajes multimedia recibidos',
    call_minute_outbound: 'Minutos de llamadas salientes',
    call_minute_inbound: 'Minutos de llamadas entrantes',
    recording_minute: 'Minutos grabados',
    transcription_minute: 'Minutos transcritos',
    stream_minute: 'Minutos transmitidos',
    number_month: 'Meses de números',
    brand_registration: 'Registros de marcas',
    campaign_setup: 'Altas de campañas',
    campaign_month: 'Meses de campañas',
  },
  groups: {
    texts: 'Mensajes',
    calls: 'Llamadas',
    recordings: 'Grabaciones y transmisiones',
    numbers: 'Números',
    registrations: 'Registros',
  },
  periods: {
    month: 'Este mes',
    'last-month': 'El mes pasado',
    '7d': 'Los últimos 7 días',
    '30d': 'Los últimos 30 días',
    custom: 'Desde y hasta',
  },
  balance: {
    balance: 'Saldo',
    testModeNever: 'El modo de prueba nunca se cobra.',
    prepaidOperatorAdds: 'Prepago; el administrador de la instalación agrega abonos.',
    creditsAndCharges: 'Abonos y cargos',
    at: 'Hora',
    kind: 'Tipo',
    reference: 'Referencia',
    amount: 'Monto',
    balanceAfter: 'Saldo después',
    testModeNo: 'El modo de prueba no tiene dinero',
    testUsageCounted: 'El consumo de prueba se cuenta y nunca se cobra. Los abonos y cargos son los del modo real.',
    noCreditsCharges: 'Todavía no hay abonos ni cargos',
    addsCredit: 'Agrega un abono',
    operatorAddsCredit:
      'El administrador de la instalación agrega abonos en el servidor. Los cargos siguen con el uso.',
  },
  byDay: {
    costBy: (part) => `Costo por ${part}`,
    textsBy: (part) => `Mensajes por ${part}`,
    callMinutesBy: (part) => `Minutos de llamadas por ${part}`,
    day: 'día',
    days: (days) => `${days} días`,
  },
  byKind: {
    nothingWasUsed: 'No se usó nada en este período',
    textsCallsNumbers:
      'Los mensajes, las llamadas, los números y los registros se cuentan cuando ocurren. Elija un período más largo o envíe un mensaje.',
    usageByKind: 'Consumo por tipo',
    kind: 'Tipo',
    quantity: 'Cantidad',
    priceOfOne: 'Precio por unidad',
    cost: 'Costo',
    all: 'Total',
  },
  byTenant: {
    usageByTenant: 'Consumo por empresa',
    tenant: 'Empresa',
    texts: 'Mensajes',
    callMinutes: 'Minutos de llamadas',
    numbers: 'Números',
    cost: 'Costo',
    noTenantUsed: 'Ninguna empresa usó nada en este período',
    tenantAppearsHere: 'Una empresa aparece aquí con su primer mensaje, llamada o número.',
  },
  download: {
    downloadCsv: 'Descargar CSV',
    rowsRead: (count) => `${count} filas leídas…`,
  },
  prices: {
    operatorInstallationSets:
      'El administrador de la instalación fija estos precios. Las tarifas del operador están incluidas.',
    prices: 'Precios',
    kind: 'Tipo',
    unit: 'Unidad',
    price: 'Precio',
  },
  usage: {
    usageAndCost: 'Consumo y costo',
    everythingCostsMoney:
      'Se cuenta todo lo que cuesta dinero. En modo de prueba no se cobra nada: los costos son los que cobraría el modo real.',
    everythingCostsMoneyCounted:
      'Todo lo que cuesta dinero, a medida que se cuenta, con el costo a los precios de hoy.',
    usage: 'Consumo',
    balance: 'Saldo',
    prices: 'Precios',
    byKind: 'Por tipo',
    byTenant: 'Por empresa',
    period: 'Período',
    from: 'Desde',
    to: 'Hasta',
    daysBeginMidnight: 'Los días empiezan a la medianoche UTC.',
  },
});

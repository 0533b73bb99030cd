import type { VerificationWords } from './words.ts';

export const es: VerificationWords = {
  authentic: {
    title: 'Auténtico',
    lead: 'Este código es auténtico y este es su primer escaneo.',
    advice: [
      'Un código se confirma así una sola vez. A quien lo escanee después se le dirá cuándo se escaneó por primera vez.',
    ],
  },
  scannedBefore: {
    title: 'Ya escaneado',
    lead: 'Este código está registrado, pero este no es su primer escaneo.',
    advice: ['¿Ya lo ha escaneado usted, o es un producto de segunda mano? Entonces es normal.'],
  },
  sameDevice: {
    title: 'Probablemente usted lo escaneó primero, {ago}',
    lead: 'Si otra persona lo escaneó justo antes que usted, en el mismo lugar o con su red, considérelo como ya escaneado.',
    advice: [
      'Durante los diez minutos siguientes al primer escaneo, un dispositivo se reconoce por su dirección de red y su navegador. Otro teléfono del mismo modelo puede parecer igual.',
      '¿No lo escaneó usted? Entonces pregunte a la marca antes de fiarse.',
    ],
  },
  notGenuine: {
    title: 'No auténtico',
    lead: 'Este código no se ha emitido aquí. Está inventado, alterado o mal escrito.',
    advice: [
      '¿Ha escrito la dirección? Entonces compare cada carácter o escanee el propio código.',
      '¿Lo ha escaneado de un producto? Entonces no se fíe del producto y avise al vendedor o a la marca.',
    ],
  },
  notKnown: {
    title: 'Desconocido',
    lead: 'No hay ningún producto registrado para este código.',
    advice: [
      'Un producto con este código no se puede verificar: no lo dé por auténtico.',
      'Pregunte al vendedor o a la marca y muéstreles el código.',
    ],
  },
  recalled: {
    title: 'Retirado del mercado',
    lead: 'La marca ha retirado este producto.',
    advice: [
      'No lo use ni se lo dé a nadie.',
      'Pregunte a la marca o al vendedor qué hacer con él y si se lo cambian.',
    ],
  },
  stolen: {
    title: 'Denunciado como robado',
    lead: 'La marca ha denunciado que este producto es robado.',
    advice: ['No lo compre.', 'Si ya lo tiene, póngase en contacto con la marca o con la policía.'],
  },
  unavailable: {
    title: 'Ahora no se puede verificar',
    lead: 'El código no se ha comprobado. Esto no dice nada del producto, ni bueno ni malo.',
    advice: ['Vuelva a escanear el código dentro de unos segundos.'],
  },
  neutral: {
    title: 'Verificar este producto',
    lead: 'Todavía no se ha verificado nada. Abra esta página en su teléfono para verificar el producto.',
    advice: [],
  },
  rateLimited: {
    title: 'Demasiadas comprobaciones',
    lead: 'Desde su red se han comprobado muchos códigos en un minuto, y este no. Esto no dice nada del producto.',
    advice: ['Espere un minuto y vuelva a escanear el código.'],
  },
  copyWarning:
    '¿Se vende como nuevo y usted nunca lo ha escaneado? Entonces el código puede ser una copia: pregunte al vendedor o a la marca antes de fiarse.',
  meaning: 'Qué hacer',
  product: 'Producto',
  sku: 'Referencia',
  gtin: 'GTIN',
  item: 'Unidad',
  issuedFor: 'Emitido para {brand}',
  issuedForUnnamed: 'Emitido para la marca de este producto',
  scans: 'Escaneos de este código',
  firstScan: 'Primer escaneo',
  country: 'País',
  unknownCountry: 'desconocido',
  scanCount: 'Escaneos, contando este',
  justNow: 'ahora mismo',
  checkedOn: 'Comprobado el {date}',
  hostTitle: 'Compruebe la dirección',
  hostText:
    'Cualquiera puede copiar el aspecto de una página, pero no su dirección. Compare la barra de direcciones con el nombre impreso junto al código: deben coincidir exactamente. Si no hay ningún nombre impreso, pregunte a la marca.',
};

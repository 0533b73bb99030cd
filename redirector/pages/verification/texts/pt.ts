import type { VerificationWords } from './words.ts';

export const pt: VerificationWords = {
  authentic: {
    title: 'Autêntico',
    lead: 'Este código é autêntico, e esta é a sua primeira leitura.',
    advice: [
      'Um código só é confirmado assim uma vez. Quem o ler mais tarde fica a saber quando foi lido pela primeira vez.',
    ],
  },
  scannedBefore: {
    title: 'Já foi lido',
    lead: 'Este código está registado, mas esta não é a sua primeira leitura.',
    advice: ['Já o leu antes, ou o produto é usado? Então é normal.'],
  },
  sameDevice: {
    title: 'Provavelmente foi o primeiro a ler este código, {ago}',
    lead: 'Se outra pessoa o leu pouco antes de si, no mesmo lugar ou com a sua rede, considere-o como já lido.',
    advice: [
      'Durante dez minutos após a primeira leitura, um dispositivo é reconhecido pelo seu endereço de rede e pelo seu navegador. Outro telemóvel do mesmo modelo pode parecer igual.',
      'Não foi o próprio a lê-lo? Então pergunte à marca antes de confiar nele.',
    ],
  },
  notGenuine: {
    title: 'Não autêntico',
    lead: 'Este código não foi emitido aqui. É inventado, alterado ou mal digitado.',
    advice: [
      'Digitou o endereço? Então compare cada carácter, ou leia o próprio código.',
      'Leu-o num produto? Então não confie no produto e avise o vendedor ou a marca.',
    ],
  },
  notKnown: {
    title: 'Desconhecido',
    lead: 'Não há nenhum produto registado para este código.',
    advice: [
      'Um produto com este código não pode ser verificado: não o tome por autêntico.',
      'Pergunte ao vendedor ou à marca e mostre-lhes o código.',
    ],
  },
  recalled: {
    title: 'Retirado do mercado',
    lead: 'A marca mandou recolher este produto.',
    advice: [
      'Não o use nem o dê a ninguém.',
      'Pergunte à marca ou ao vendedor o que fazer com ele e se é substituído.',
    ],
  },
  stolen: {
    title: 'Participado como roubado',
    lead: 'A marca participou o roubo deste produto.',
    advice: ['Não o compre.', 'Se já o tem, contacte a marca ou a polícia.'],
  },
  unavailable: {
    title: 'De momento não é possível verificar',
    lead: 'O código não foi verificado. Isto não diz nada sobre o produto, nem de bom nem de mau.',
    advice: ['Leia o código outra vez daqui a alguns segundos.'],
  },
  neutral: {
    title: 'Verificar este produto',
    lead: 'Ainda nada foi verificado. Abra esta página no telemóvel para verificar o produto.',
    advice: [],
  },
  rateLimited: {
    title: 'Demasiadas verificações',
    lead: 'A partir da sua rede foram verificados muitos códigos num minuto, e este não. Isto não diz nada sobre o produto.',
    advice: ['Espere um minuto e leia o código outra vez.'],
  },
  copyWarning:
    'O produto é vendido como novo e nunca o leu? Então o código pode ser uma cópia: pergunte ao vendedor ou à marca antes de confiar nele.',
  meaning: 'O que fazer',
  product: 'Produto',
  sku: 'Referência',
  gtin: 'GTIN',
  item: 'Exemplar',
  issuedFor: 'Emitido para {brand}',
  issuedForUnnamed: 'Emitido para a marca deste produto',
  scans: 'Leituras deste código',
  firstScan: 'Primeira leitura',
  country: 'País',
  unknownCountry: 'desconhecido',
  scanCount: 'Leituras, incluindo esta',
  justNow: 'agora mesmo',
  checkedOn: 'Verificado em {date}',
  hostTitle: 'Verifique o endereço',
  hostText:
    'Qualquer pessoa pode copiar o aspeto de uma página, mas não o seu endereço. Compare a barra de endereço com o nome impresso junto do código: têm de ser exatamente iguais. Se não houver nenhum nome impresso, pergunte à marca.',
};

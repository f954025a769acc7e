// ntuple-32x4 of Tracewright, scheme ntuple.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_cache_entries = 128
//   stream_cache_ways = 4
//   hash_shift = 6
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   tuple_length = 8
//   tuple_history_entries = 255
//   tuple_update = every
// tuple_history_buffer: entries = 255, tuple_length = 8, index_bits = 7, learns_every = 1

module ntuple_32x4_tuple_history_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        valid,
    input  wire        update,
    input  wire [6:0]  index,
    input  wire [2:0]  place, // of the index in its tuple
    output reg  [7:0]  age, // of the tuple up to that place; 0: none
    input  wire        learn, // the tuple is full
    input  wire [55:0] tuple // the first index lowest
);

    reg  [254:0]  matching; // entries like the tuple so far
    reg  [1784:0] columns_0; // the newest tuple's index lowest
    reg  [1784:0] columns_1; // the newest tuple's index lowest
    reg  [1784:0] columns_2; // the newest tuple's index lowest
    reg  [1784:0] columns_3; // the newest tuple's index lowest
    reg  [1784:0] columns_4; // the newest tuple's index lowest
    reg  [1784:0] columns_5; // the newest tuple's index lowest
    reg  [1784:0] columns_6; // the newest tuple's index lowest
    reg  [1784:0] columns_7; // the newest tuple's index lowest
    reg  [254:0]  so_far;
    reg  [1784:0] column;
    reg  [254:0]  now;
    reg  [254:0]  newest; // one hot
    wire [6:0]    tuple_index_0;
    wire [6:0]    tuple_index_1;
    wire [6:0]    tuple_index_2;
    wire [6:0]    tuple_index_3;
    wire [6:0]    tuple_index_4;
    wire [6:0]    tuple_index_5;
    wire [6:0]    tuple_index_6;
    wire [6:0]    tuple_index_7;
    wire          pushes;

    always @* begin
        so_far = matching;
        if (!(|place)) begin
            so_far = 255'h7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff;
        end
    end

    always @* begin
        column = 1785'd0;
        if (valid && (place == 3'd0)) begin
            column = columns_0;
        end
        if (valid && (place == 3'd1)) begin
            column = columns_1;
        end
        if (valid && (place == 3'd2)) begin
            column = columns_2;
        end
        if (valid && (place == 3'd3)) begin
            column = columns_3;
        end
        if (valid && (place == 3'd4)) begin
            column = columns_4;
        end
        if (valid && (place == 3'd5)) begin
            column = columns_5;
        end
        if (valid && (place == 3'd6)) begin
            column = columns_6;
        end
        if (valid && (place == 3'd7)) begin
            column = columns_7;
        end
    end

    always @* begin
        now = 255'd0;
        if (valid) begin
            if ((column[6:0] == index) && so_far[0]) begin
                now = 255'd1;
            end
            if ((column[13:7] == index) && so_far[1]) begin
                now = {now[254:2], 1'd1, now[0]};
            end
            if ((column[20:14] == index) && so_far[2]) begin
                now = {now[254:3], 1'd1, now[1:0]};
            end
            if ((column[27:21] == index) && so_far[3]) begin
                now = {now[254:4], 1'd1, now[2:0]};
            end
            if ((column[34:28] == index) && so_far[4]) begin
                now = {now[254:5], 1'd1, now[3:0]};
            end
            if ((column[41:35] == index) && so_far[5]) begin
                now = {now[254:6], 1'd1, now[4:0]};
            end
            if ((column[48:42] == index) && so_far[6]) begin
                now = {now[254:7], 1'd1, now[5:0]};
            end
            if ((column[55:49] == index) && so_far[7]) begin
                now = {now[254:8], 1'd1, now[6:0]};
            end
            if ((column[62:56] == index) && so_far[8]) begin
                now = {now[254:9], 1'd1, now[7:0]};
            end
            if ((column[69:63] == index) && so_far[9]) begin
                now = {now[254:10], 1'd1, now[8:0]};
            end
            if ((column[76:70] == index) && so_far[10]) begin
                now = {now[254:11], 1'd1, now[9:0]};
            end
            if ((column[83:77] == index) && so_far[11]) begin
                now = {now[254:12], 1'd1, now[10:0]};
            end
            if ((column[90:84] == index) && so_far[12]) begin
                now = {now[254:13], 1'd1, now[11:0]};
            end
            if ((column[97:91] == index) && so_far[13]) begin
                now = {now[254:14], 1'd1, now[12:0]};
            end
            if ((column[104:98] == index) && so_far[14]) begin
                now = {now[254:15], 1'd1, now[13:0]};
            end
            if ((column[111:105] == index) && so_far[15]) begin
                now = {now[254:16], 1'd1, now[14:0]};
            end
            if ((column[118:112] == index) && so_far[16]) begin
                now = {now[254:17], 1'd1, now[15:0]};
            end
            if ((column[125:119] == index) && so_far[17]) begin
                now = {now[254:18], 1'd1, now[16:0]};
            end
            if ((column[132:126] == index) && so_far[18]) begin
                now = {now[254:19], 1'd1, now[17:0]};
            end
            if ((column[139:133] == index) && so_far[19]) begin
                now = {now[254:20], 1'd1, now[18:0]};
            end
            if ((column[146:140] == index) && so_far[20]) begin
                now = {now[254:21], 1'd1, now[19:0]};
            end
            if ((column[153:147] == index) && so_far[21]) begin
                now = {now[254:22], 1'd1, now[20:0]};
            end
            if ((column[160:154] == index) && so_far[22]) begin
                now = {now[254:23], 1'd1, now[21:0]};
            end
            if ((column[167:161] == index) && so_far[23]) begin
                now = {now[254:24], 1'd1, now[22:0]};
            end
            if ((column[174:168] == index) && so_far[24]) begin
                now = {now[254:25], 1'd1, now[23:0]};
            end
            if ((column[181:175] == index) && so_far[25]) begin
                now = {now[254:26], 1'd1, now[24:0]};
            end
            if ((column[188:182] == index) && so_far[26]) begin
                now = {now[254:27], 1'd1, now[25:0]};
            end
            if ((column[195:189] == index) && so_far[27]) begin
                now = {now[254:28], 1'd1, now[26:0]};
            end
            if ((column[202:196] == index) && so_far[28]) begin
                now = {now[254:29], 1'd1, now[27:0]};
            end
            if ((column[209:203] == index) && so_far[29]) begin
                now = {now[254:30], 1'd1, now[28:0]};
            end
            if ((column[216:210] == index) && so_far[30]) begin
                now = {now[254:31], 1'd1, now[29:0]};
            end
            if ((column[223:217] == index) && so_far[31]) begin
                now = {now[254:32], 1'd1, now[30:0]};
            end
            if ((column[230:224] == index) && so_far[32]) begin
                now = {now[254:33], 1'd1, now[31:0]};
            end
            if ((column[237:231] == index) && so_far[33]) begin
                now = {now[254:34], 1'd1, now[32:0]};
            end
            if ((column[244:238] == index) && so_far[34]) begin
                now = {now[254:35], 1'd1, now[33:0]};
            end
            if ((column[251:245] == index) && so_far[35]) begin
                now = {now[254:36], 1'd1, now[34:0]};
            end
            if ((column[258:252] == index) && so_far[36]) begin
                now = {now[254:37], 1'd1, now[35:0]};
            end
            if ((column[265:259] == index) && so_far[37]) begin
                now = {now[254:38], 1'd1, now[36:0]};
            end
            if ((column[272:266] == index) && so_far[38]) begin
                now = {now[254:39], 1'd1, now[37:0]};
            end
            if ((column[279:273] == index) && so_far[39]) begin
                now = {now[254:40], 1'd1, now[38:0]};
            end
            if ((column[286:280] == index) && so_far[40]) begin
                now = {now[254:41], 1'd1, now[39:0]};
            end
            if ((column[293:287] == index) && so_far[41]) begin
                now = {now[254:42], 1'd1, now[40:0]};
            end
            if ((column[300:294] == index) && so_far[42]) begin
                now = {now[254:43], 1'd1, now[41:0]};
            end
            if ((column[307:301] == index) && so_far[43]) begin
                now = {now[254:44], 1'd1, now[42:0]};
            end
            if ((column[314:308] == index) && so_far[44]) begin
                now = {now[254:45], 1'd1, now[43:0]};
            end
            if ((column[321:315] == index) && so_far[45]) begin
                now = {now[254:46], 1'd1, now[44:0]};
            end
            if ((column[328:322] == index) && so_far[46]) begin
                now = {now[254:47], 1'd1, now[45:0]};
            end
            if ((column[335:329] == index) && so_far[47]) begin
                now = {now[254:48], 1'd1, now[46:0]};
            end
            if ((column[342:336] == index) && so_far[48]) begin
                now = {now[254:49], 1'd1, now[47:0]};
            end
            if ((column[349:343] == index) && so_far[49]) begin
                now = {now[254:50], 1'd1, now[48:0]};
            end
            if ((column[356:350] == index) && so_far[50]) begin
                now = {now[254:51], 1'd1, now[49:0]};
            end
            if ((column[363:357] == index) && so_far[51]) begin
                now = {now[254:52], 1'd1, now[50:0]};
            end
            if ((column[370:364] == index) && so_far[52]) begin
                now = {now[254:53], 1'd1, now[51:0]};
            end
            if ((column[377:371] == index) && so_far[53]) begin
                now = {now[254:54], 1'd1, now[52:0]};
            end
            if ((column[384:378] == index) && so_far[54]) begin
                now = {now[254:55], 1'd1, now[53:0]};
            end
            if ((column[391:385] == index) && so_far[55]) begin
                now = {now[254:56], 1'd1, now[54:0]};
            end
            if ((column[398:392] == index) && so_far[56]) begin
                now = {now[254:57], 1'd1, now[55:0]};
            end
            if ((column[405:399] == index) && so_far[57]) begin
                now = {now[254:58], 1'd1, now[56:0]};
            end
            if ((column[412:406] == index) && so_far[58]) begin
                now = {now[254:59], 1'd1, now[57:0]};
            end
            if ((column[419:413] == index) && so_far[59]) begin
                now = {now[254:60], 1'd1, now[58:0]};
            end
            if ((column[426:420] == index) && so_far[60]) begin
                now = {now[254:61], 1'd1, now[59:0]};
            end
            if ((column[433:427] == index) && so_far[61]) begin
                now = {now[254:62], 1'd1, now[60:0]};
            end
            if ((column[440:434] == index) && so_far[62]) begin
                now = {now[254:63], 1'd1, now[61:0]};
            end
            if ((column[447:441] == index) && so_far[63]) begin
                now = {now[254:64], 1'd1, now[62:0]};
            end
            if ((column[454:448] == index) && so_far[64]) begin
                now = {now[254:65], 1'd1, now[63:0]};
            end
            if ((column[461:455] == index) && so_far[65]) begin
                now = {now[254:66], 1'd1, now[64:0]};
            end
            if ((column[468:462] == index) && so_far[66]) begin
                now = {now[254:67], 1'd1, now[65:0]};
            end
            if ((column[475:469] == index) && so_far[67]) begin
                now = {now[254:68], 1'd1, now[66:0]};
            end
            if ((column[482:476] == index) && so_far[68]) begin
                now = {now[254:69], 1'd1, now[67:0]};
            end
            if ((column[489:483] == index) && so_far[69]) begin
                now = {now[254:70], 1'd1, now[68:0]};
            end
            if ((column[496:490] == index) && so_far[70]) begin
                now = {now[254:71], 1'd1, now[69:0]};
            end
            if ((column[503:497] == index) && so_far[71]) begin
                now = {now[254:72], 1'd1, now[70:0]};
            end
            if ((column[510:504] == index) && so_far[72]) begin
                now = {now[254:73], 1'd1, now[71:0]};
            end
            if ((column[517:511] == index) && so_far[73]) begin
                now = {now[254:74], 1'd1, now[72:0]};
            end
            if ((column[524:518] == index) && so_far[74]) begin
                now = {now[254:75], 1'd1, now[73:0]};
            end
            if ((column[531:525] == index) && so_far[75]) begin
                now = {now[254:76], 1'd1, now[74:0]};
            end
            if ((column[538:532] == index) && so_far[76]) begin
                now = {now[254:77], 1'd1, now[75:0]};
            end
            if ((column[545:539] == index) && so_far[77]) begin
                now = {now[254:78], 1'd1, now[76:0]};
            end
            if ((column[552:546] == index) && so_far[78]) begin
                now = {now[254:79], 1'd1, now[77:0]};
            end
            if ((column[559:553] == index) && so_far[79]) begin
                now = {now[254:80], 1'd1, now[78:0]};
            end
            if ((column[566:560] == index) && so_far[80]) begin
                now = {now[254:81], 1'd1, now[79:0]};
            end
            if ((column[573:567] == index) && so_far[81]) begin
                now = {now[254:82], 1'd1, now[80:0]};
            end
            if ((column[580:574] == index) && so_far[82]) begin
                now = {now[254:83], 1'd1, now[81:0]};
            end
            if ((column[587:581] == index) && so_far[83]) begin
                now = {now[254:84], 1'd1, now[82:0]};
            end
            if ((column[594:588] == index) && so_far[84]) begin
                now = {now[254:85], 1'd1, now[83:0]};
            end
            if ((column[601:595] == index) && so_far[85]) begin
                now = {now[254:86], 1'd1, now[84:0]};
            end
            if ((column[608:602] == index) && so_far[86]) begin
                now = {now[254:87], 1'd1, now[85:0]};
            end
            if ((column[615:609] == index) && so_far[87]) begin
                now = {now[254:88], 1'd1, now[86:0]};
            end
            if ((column[622:616] == index) && so_far[88]) begin
                now = {now[254:89], 1'd1, now[87:0]};
            end
            if ((column[629:623] == index) && so_far[89]) begin
                now = {now[254:90], 1'd1, now[88:0]};
            end
            if ((column[636:630] == index) && so_far[90]) begin
                now = {now[254:91], 1'd1, now[89:0]};
            end
            if ((column[643:637] == index) && so_far[91]) begin
                now = {now[254:92], 1'd1, now[90:0]};
            end
            if ((column[650:644] == index) && so_far[92]) begin
                now = {now[254:93], 1'd1, now[91:0]};
            end
            if ((column[657:651] == index) && so_far[93]) begin
                now = {now[254:94], 1'd1, now[92:0]};
            end
            if ((column[664:658] == index) && so_far[94]) begin
                now = {now[254:95], 1'd1, now[93:0]};
            end
            if ((column[671:665] == index) && so_far[95]) begin
                now = {now[254:96], 1'd1, now[94:0]};
            end
            if ((column[678:672] == index) && so_far[96]) begin
                now = {now[254:97], 1'd1, now[95:0]};
            end
            if ((column[685:679] == index) && so_far[97]) begin
                now = {now[254:98], 1'd1, now[96:0]};
            end
            if ((column[692:686] == index) && so_far[98]) begin
                now = {now[254:99], 1'd1, now[97:0]};
            end
            if ((column[699:693] == index) && so_far[99]) begin
                now = {now[254:100], 1'd1, now[98:0]};
            end
            if ((column[706:700] == index) && so_far[100]) begin
                now = {now[254:101], 1'd1, now[99:0]};
            end
            if ((column[713:707] == index) && so_far[101]) begin
                now = {now[254:102], 1'd1, now[100:0]};
            end
            if ((column[720:714] == index) && so_far[102]) begin
                now = {now[254:103], 1'd1, now[101:0]};
            end
            if ((column[727:721] == index) && so_far[103]) begin
                now = {now[254:104], 1'd1, now[102:0]};
            end
            if ((column[734:728] == index) && so_far[104]) begin
                now = {now[254:105], 1'd1, now[103:0]};
            end
            if ((column[741:735] == index) && so_far[105]) begin
                now = {now[254:106], 1'd1, now[104:0]};
            end
            if ((column[748:742] == index) && so_far[106]) begin
                now = {now[254:107], 1'd1, now[105:0]};
            end
            if ((column[755:749] == index) && so_far[107]) begin
                now = {now[254:108], 1'd1, now[106:0]};
            end
            if ((column[762:756] == index) && so_far[108]) begin
                now = {now[254:109], 1'd1, now[107:0]};
            end
            if ((column[769:763] == index) && so_far[109]) begin
                now = {now[254:110], 1'd1, now[108:0]};
            end
            if ((column[776:770] == index) && so_far[110]) begin
                now = {now[254:111], 1'd1, now[109:0]};
            end
            if ((column[783:777] == index) && so_far[111]) begin
                now = {now[254:112], 1'd1, now[110:0]};
            end
            if ((column[790:784] == index) && so_far[112]) begin
                now = {now[254:113], 1'd1, now[111:0]};
            end
            if ((column[797:791] == index) && so_far[113]) begin
                now = {now[254:114], 1'd1, now[112:0]};
            end
            if ((column[804:798] == index) && so_far[114]) begin
                now = {now[254:115], 1'd1, now[113:0]};
            end
            if ((column[811:805] == index) && so_far[115]) begin
                now = {now[254:116], 1'd1, now[114:0]};
            end
            if ((column[818:812] == index) && so_far[116]) begin
                now = {now[254:117], 1'd1, now[115:0]};
            end
            if ((column[825:819] == index) && so_far[117]) begin
                now = {now[254:118], 1'd1, now[116:0]};
            end
            if ((column[832:826] == index) && so_far[118]) begin
                now = {now[254:119], 1'd1, now[117:0]};
            end
            if ((column[839:833] == index) && so_far[119]) begin
                now = {now[254:120], 1'd1, now[118:0]};
            end
            if ((column[846:840] == index) && so_far[120]) begin
                now = {now[254:121], 1'd1, now[119:0]};
            end
            if ((column[853:847] == index) && so_far[121]) begin
                now = {now[254:122], 1'd1, now[120:0]};
            end
            if ((column[860:854] == index) && so_far[122]) begin
                now = {now[254:123], 1'd1, now[121:0]};
            end
            if ((column[867:861] == index) && so_far[123]) begin
                now = {now[254:124], 1'd1, now[122:0]};
            end
            if ((column[874:868] == index) && so_far[124]) begin
                now = {now[254:125], 1'd1, now[123:0]};
            end
            if ((column[881:875] == index) && so_far[125]) begin
                now = {now[254:126], 1'd1, now[124:0]};
            end
            if ((column[888:882] == index) && so_far[126]) begin
                now = {now[254:127], 1'd1, now[125:0]};
            end
            if ((column[895:889] == index) && so_far[127]) begin
                now = {now[254:128], 1'd1, now[126:0]};
            end
            if ((column[902:896] == index) && so_far[128]) begin
                now = {now[254:129], 1'd1, now[127:0]};
            end
            if ((column[909:903] == index) && so_far[129]) begin
                now = {now[254:130], 1'd1, now[128:0]};
            end
            if ((column[916:910] == index) && so_far[130]) begin
                now = {now[254:131], 1'd1, now[129:0]};
            end
            if ((column[923:917] == index) && so_far[131]) begin
                now = {now[254:132], 1'd1, now[130:0]};
            end
            if ((column[930:924] == index) && so_far[132]) begin
                now = {now[254:133], 1'd1, now[131:0]};
            end
            if ((column[937:931] == index) && so_far[133]) begin
                now = {now[254:134], 1'd1, now[132:0]};
            end
            if ((column[944:938] == index) && so_far[134]) begin
                now = {now[254:135], 1'd1, now[133:0]};
            end
            if ((column[951:945] == index) && so_far[135]) begin
                now = {now[254:136], 1'd1, now[134:0]};
            end
            if ((column[958:952] == index) && so_far[136]) begin
                now = {now[254:137], 1'd1, now[135:0]};
            end
            if ((column[965:959] == index) && so_far[137]) begin
                now = {now[254:138], 1'd1, now[136:0]};
            end
            if ((column[972:966] == index) && so_far[138]) begin
                now = {now[254:139], 1'd1, now[137:0]};
            end
            if ((column[979:973] == index) && so_far[139]) begin
                now = {now[254:140], 1'd1, now[138:0]};
            end
            if ((column[986:980] == index) && so_far[140]) begin
                now = {now[254:141], 1'd1, now[139:0]};
            end
            if ((column[993:987] == index) && so_far[141]) begin
                now = {now[254:142], 1'd1, now[140:0]};
            end
            if ((column[1000:994] == index) && so_far[142]) begin
                now = {now[254:143], 1'd1, now[141:0]};
            end
            if ((column[1007:1001] == index) && so_far[143]) begin
                now = {now[254:144], 1'd1, now[142:0]};
            end
            if ((column[1014:1008] == index) && so_far[144]) begin
                now = {now[254:145], 1'd1, now[143:0]};
            end
            if ((column[1021:1015] == index) && so_far[145]) begin
                now = {now[254:146], 1'd1, now[144:0]};
            end
            if ((column[1028:1022] == index) && so_far[146]) begin
                now = {now[254:147], 1'd1, now[145:0]};
            end
            if ((column[1035:1029] == index) && so_far[147]) begin
                now = {now[254:148], 1'd1, now[146:0]};
            end
            if ((column[1042:1036] == index) && so_far[148]) begin
                now = {now[254:149], 1'd1, now[147:0]};
            end
            if ((column[1049:1043] == index) && so_far[149]) begin
                now = {now[254:150], 1'd1, now[148:0]};
            end
            if ((column[1056:1050] == index) && so_far[150]) begin
                now = {now[254:151], 1'd1, now[149:0]};
            end
            if ((column[1063:1057] == index) && so_far[151]) begin
                now = {now[254:152], 1'd1, now[150:0]};
            end
            if ((column[1070:1064] == index) && so_far[152]) begin
                now = {now[254:153], 1'd1, now[151:0]};
            end
            if ((column[1077:1071] == index) && so_far[153]) begin
                now = {now[254:154], 1'd1, now[152:0]};
            end
            if ((column[1084:1078] == index) && so_far[154]) begin
                now = {now[254:155], 1'd1, now[153:0]};
            end
            if ((column[1091:1085] == index) && so_far[155]) begin
                now = {now[254:156], 1'd1, now[154:0]};
            end
            if ((column[1098:1092] == index) && so_far[156]) begin
                now = {now[254:157], 1'd1, now[155:0]};
            end
            if ((column[1105:1099] == index) && so_far[157]) begin
                now = {now[254:158], 1'd1, now[156:0]};
            end
            if ((column[1112:1106] == index) && so_far[158]) begin
                now = {now[254:159], 1'd1, now[157:0]};
            end
            if ((column[1119:1113] == index) && so_far[159]) begin
                now = {now[254:160], 1'd1, now[158:0]};
            end
            if ((column[1126:1120] == index) && so_far[160]) begin
                now = {now[254:161], 1'd1, now[159:0]};
            end
            if ((column[1133:1127] == index) && so_far[161]) begin
                now = {now[254:162], 1'd1, now[160:0]};
            end
            if ((column[1140:1134] == index) && so_far[162]) begin
                now = {now[254:163], 1'd1, now[161:0]};
            end
            if ((column[1147:1141] == index) && so_far[163]) begin
                now = {now[254:164], 1'd1, now[162:0]};
            end
            if ((column[1154:1148] == index) && so_far[164]) begin
                now = {now[254:165], 1'd1, now[163:0]};
            end
            if ((column[1161:1155] == index) && so_far[165]) begin
                now = {now[254:166], 1'd1, now[164:0]};
            end
            if ((column[1168:1162] == index) && so_far[166]) begin
                now = {now[254:167], 1'd1, now[165:0]};
            end
            if ((column[1175:1169] == index) && so_far[167]) begin
                now = {now[254:168], 1'd1, now[166:0]};
            end
            if ((column[1182:1176] == index) && so_far[168]) begin
                now = {now[254:169], 1'd1, now[167:0]};
            end
            if ((column[1189:1183] == index) && so_far[169]) begin
                now = {now[254:170], 1'd1, now[168:0]};
            end
            if ((column[1196:1190] == index) && so_far[170]) begin
                now = {now[254:171], 1'd1, now[169:0]};
            end
            if ((column[1203:1197] == index) && so_far[171]) begin
                now = {now[254:172], 1'd1, now[170:0]};
            end
            if ((column[1210:1204] == index) && so_far[172]) begin
                now = {now[254:173], 1'd1, now[171:0]};
            end
            if ((column[1217:1211] == index) && so_far[173]) begin
                now = {now[254:174], 1'd1, now[172:0]};
            end
            if ((column[1224:1218] == index) && so_far[174]) begin
                now = {now[254:175], 1'd1, now[173:0]};
            end
            if ((column[1231:1225] == index) && so_far[175]) begin
                now = {now[254:176], 1'd1, now[174:0]};
            end
            if ((column[1238:1232] == index) && so_far[176]) begin
                now = {now[254:177], 1'd1, now[175:0]};
            end
            if ((column[1245:1239] == index) && so_far[177]) begin
                now = {now[254:178], 1'd1, now[176:0]};
            end
            if ((column[1252:1246] == index) && so_far[178]) begin
                now = {now[254:179], 1'd1, now[177:0]};
            end
            if ((column[1259:1253] == index) && so_far[179]) begin
                now = {now[254:180], 1'd1, now[178:0]};
            end
            if ((column[1266:1260] == index) && so_far[180]) begin
                now = {now[254:181], 1'd1, now[179:0]};
            end
            if ((column[1273:1267] == index) && so_far[181]) begin
                now = {now[254:182], 1'd1, now[180:0]};
            end
            if ((column[1280:1274] == index) && so_far[182]) begin
                now = {now[254:183], 1'd1, now[181:0]};
            end
            if ((column[1287:1281] == index) && so_far[183]) begin
                now = {now[254:184], 1'd1, now[182:0]};
            end
            if ((column[1294:1288] == index) && so_far[184]) begin
                now = {now[254:185], 1'd1, now[183:0]};
            end
            if ((column[1301:1295] == index) && so_far[185]) begin
                now = {now[254:186], 1'd1, now[184:0]};
            end
            if ((column[1308:1302] == index) && so_far[186]) begin
                now = {now[254:187], 1'd1, now[185:0]};
            end
            if ((column[1315:1309] == index) && so_far[187]) begin
                now = {now[254:188], 1'd1, now[186:0]};
            end
            if ((column[1322:1316] == index) && so_far[188]) begin
                now = {now[254:189], 1'd1, now[187:0]};
            end
            if ((column[1329:1323] == index) && so_far[189]) begin
                now = {now[254:190], 1'd1, now[188:0]};
            end
            if ((column[1336:1330] == index) && so_far[190]) begin
                now = {now[254:191], 1'd1, now[189:0]};
            end
            if ((column[1343:1337] == index) && so_far[191]) begin
                now = {now[254:192], 1'd1, now[190:0]};
            end
            if ((column[1350:1344] == index) && so_far[192]) begin
                now = {now[254:193], 1'd1, now[191:0]};
            end
            if ((column[1357:1351] == index) && so_far[193]) begin
                now = {now[254:194], 1'd1, now[192:0]};
            end
            if ((column[1364:1358] == index) && so_far[194]) begin
                now = {now[254:195], 1'd1, now[193:0]};
            end
            if ((column[1371:1365] == index) && so_far[195]) begin
                now = {now[254:196], 1'd1, now[194:0]};
            end
            if ((column[1378:1372] == index) && so_far[196]) begin
                now = {now[254:197], 1'd1, now[195:0]};
            end
            if ((column[1385:1379] == index) && so_far[197]) begin
                now = {now[254:198], 1'd1, now[196:0]};
            end
            if ((column[1392:1386] == index) && so_far[198]) begin
                now = {now[254:199], 1'd1, now[197:0]};
            end
            if ((column[1399:1393] == index) && so_far[199]) begin
                now = {now[254:200], 1'd1, now[198:0]};
            end
            if ((column[1406:1400] == index) && so_far[200]) begin
                now = {now[254:201], 1'd1, now[199:0]};
            end
            if ((column[1413:1407] == index) && so_far[201]) begin
                now = {now[254:202], 1'd1, now[200:0]};
            end
            if ((column[1420:1414] == index) && so_far[202]) begin
                now = {now[254:203], 1'd1, now[201:0]};
            end
            if ((column[1427:1421] == index) && so_far[203]) begin
                now = {now[254:204], 1'd1, now[202:0]};
            end
            if ((column[1434:1428] == index) && so_far[204]) begin
                now = {now[254:205], 1'd1, now[203:0]};
            end
            if ((column[1441:1435] == index) && so_far[205]) begin
                now = {now[254:206], 1'd1, now[204:0]};
            end
            if ((column[1448:1442] == index) && so_far[206]) begin
                now = {now[254:207], 1'd1, now[205:0]};
            end
            if ((column[1455:1449] == index) && so_far[207]) begin
                now = {now[254:208], 1'd1, now[206:0]};
            end
            if ((column[1462:1456] == index) && so_far[208]) begin
                now = {now[254:209], 1'd1, now[207:0]};
            end
            if ((column[1469:1463] == index) && so_far[209]) begin
                now = {now[254:210], 1'd1, now[208:0]};
            end
            if ((column[1476:1470] == index) && so_far[210]) begin
                now = {now[254:211], 1'd1, now[209:0]};
            end
            if ((column[1483:1477] == index) && so_far[211]) begin
                now = {now[254:212], 1'd1, now[210:0]};
            end
            if ((column[1490:1484] == index) && so_far[212]) begin
                now = {now[254:213], 1'd1, now[211:0]};
            end
            if ((column[1497:1491] == index) && so_far[213]) begin
                now = {now[254:214], 1'd1, now[212:0]};
            end
            if ((column[1504:1498] == index) && so_far[214]) begin
                now = {now[254:215], 1'd1, now[213:0]};
            end
            if ((column[1511:1505] == index) && so_far[215]) begin
                now = {now[254:216], 1'd1, now[214:0]};
            end
            if ((column[1518:1512] == index) && so_far[216]) begin
                now = {now[254:217], 1'd1, now[215:0]};
            end
            if ((column[1525:1519] == index) && so_far[217]) begin
                now = {now[254:218], 1'd1, now[216:0]};
            end
            if ((column[1532:1526] == index) && so_far[218]) begin
                now = {now[254:219], 1'd1, now[217:0]};
            end
            if ((column[1539:1533] == index) && so_far[219]) begin
                now = {now[254:220], 1'd1, now[218:0]};
            end
            if ((column[1546:1540] == index) && so_far[220]) begin
                now = {now[254:221], 1'd1, now[219:0]};
            end
            if ((column[1553:1547] == index) && so_far[221]) begin
                now = {now[254:222], 1'd1, now[220:0]};
            end
            if ((column[1560:1554] == index) && so_far[222]) begin
                now = {now[254:223], 1'd1, now[221:0]};
            end
            if ((column[1567:1561] == index) && so_far[223]) begin
                now = {now[254:224], 1'd1, now[222:0]};
            end
            if ((column[1574:1568] == index) && so_far[224]) begin
                now = {now[254:225], 1'd1, now[223:0]};
            end
            if ((column[1581:1575] == index) && so_far[225]) begin
                now = {now[254:226], 1'd1, now[224:0]};
            end
            if ((column[1588:1582] == index) && so_far[226]) begin
                now = {now[254:227], 1'd1, now[225:0]};
            end
            if ((column[1595:1589] == index) && so_far[227]) begin
                now = {now[254:228], 1'd1, now[226:0]};
            end
            if ((column[1602:1596] == index) && so_far[228]) begin
                now = {now[254:229], 1'd1, now[227:0]};
            end
            if ((column[1609:1603] == index) && so_far[229]) begin
                now = {now[254:230], 1'd1, now[228:0]};
            end
            if ((column[1616:1610] == index) && so_far[230]) begin
                now = {now[254:231], 1'd1, now[229:0]};
            end
            if ((column[1623:1617] == index) && so_far[231]) begin
                now = {now[254:232], 1'd1, now[230:0]};
            end
            if ((column[1630:1624] == index) && so_far[232]) begin
                now = {now[254:233], 1'd1, now[231:0]};
            end
            if ((column[1637:1631] == index) && so_far[233]) begin
                now = {now[254:234], 1'd1, now[232:0]};
            end
            if ((column[1644:1638] == index) && so_far[234]) begin
                now = {now[254:235], 1'd1, now[233:0]};
            end
            if ((column[1651:1645] == index) && so_far[235]) begin
                now = {now[254:236], 1'd1, now[234:0]};
            end
            if ((column[1658:1652] == index) && so_far[236]) begin
                now = {now[254:237], 1'd1, now[235:0]};
            end
            if ((column[1665:1659] == index) && so_far[237]) begin
                now = {now[254:238], 1'd1, now[236:0]};
            end
            if ((column[1672:1666] == index) && so_far[238]) begin
                now = {now[254:239], 1'd1, now[237:0]};
            end
            if ((column[1679:1673] == index) && so_far[239]) begin
                now = {now[254:240], 1'd1, now[238:0]};
            end
            if ((column[1686:1680] == index) && so_far[240]) begin
                now = {now[254:241], 1'd1, now[239:0]};
            end
            if ((column[1693:1687] == index) && so_far[241]) begin
                now = {now[254:242], 1'd1, now[240:0]};
            end
            if ((column[1700:1694] == index) && so_far[242]) begin
                now = {now[254:243], 1'd1, now[241:0]};
            end
            if ((column[1707:1701] == index) && so_far[243]) begin
                now = {now[254:244], 1'd1, now[242:0]};
            end
            if ((column[1714:1708] == index) && so_far[244]) begin
                now = {now[254:245], 1'd1, now[243:0]};
            end
            if ((column[1721:1715] == index) && so_far[245]) begin
                now = {now[254:246], 1'd1, now[244:0]};
            end
            if ((column[1728:1722] == index) && so_far[246]) begin
                now = {now[254:247], 1'd1, now[245:0]};
            end
            if ((column[1735:1729] == index) && so_far[247]) begin
                now = {now[254:248], 1'd1, now[246:0]};
            end
            if ((column[1742:1736] == index) && so_far[248]) begin
                now = {now[254:249], 1'd1, now[247:0]};
            end
            if ((column[1749:1743] == index) && so_far[249]) begin
                now = {now[254:250], 1'd1, now[248:0]};
            end
            if ((column[1756:1750] == index) && so_far[250]) begin
                now = {now[254:251], 1'd1, now[249:0]};
            end
            if ((column[1763:1757] == index) && so_far[251]) begin
                now = {now[254:252], 1'd1, now[250:0]};
            end
            if ((column[1770:1764] == index) && so_far[252]) begin
                now = {now[254:253], 1'd1, now[251:0]};
            end
            if ((column[1777:1771] == index) && so_far[253]) begin
                now = {now[254], 1'd1, now[252:0]};
            end
            if ((column[1784:1778] == index) && so_far[254]) begin
                now = {1'd1, now[253:0]};
            end
        end
    end

    always @* begin
        newest = 255'd0;
        if (|now) begin
            newest = now & (~now + 255'd1);
        end
    end

    always @* begin
        age = 8'd0;
        if (|now) begin
            if (|(newest & 255'h5555555555555555555555555555555555555555555555555555555555555555)) begin
                age = 8'd1;
            end
            if (|(newest & 255'h6666666666666666666666666666666666666666666666666666666666666666)) begin
                age = {age[7:2], 1'd1, age[0]};
            end
            if (|(newest & 255'h7878787878787878787878787878787878787878787878787878787878787878)) begin
                age = {age[7:3], 1'd1, age[1:0]};
            end
            if (|(newest & 255'h7f807f807f807f807f807f807f807f807f807f807f807f807f807f807f807f80)) begin
                age = {age[7:4], 1'd1, age[2:0]};
            end
            if (|(newest & 255'h7fff80007fff80007fff80007fff80007fff80007fff80007fff80007fff8000)) begin
                age = {age[7:5], 1'd1, age[3:0]};
            end
            if (|(newest & 255'h7fffffff800000007fffffff800000007fffffff800000007fffffff80000000)) begin
                age = {age[7:6], 1'd1, age[4:0]};
            end
            if (|(newest & 255'h7fffffffffffffff80000000000000007fffffffffffffff8000000000000000)) begin
                age = {age[7], 1'd1, age[5:0]};
            end
            if (|(newest & 255'h7fffffffffffffffffffffffffffffff80000000000000000000000000000000)) begin
                age = {1'd1, age[6:0]};
            end
        end
    end

    assign pushes = learn;
    assign tuple_index_0 = tuple[6:0];
    assign tuple_index_1 = tuple[13:7];
    assign tuple_index_2 = tuple[20:14];
    assign tuple_index_3 = tuple[27:21];
    assign tuple_index_4 = tuple[34:28];
    assign tuple_index_5 = tuple[41:35];
    assign tuple_index_6 = tuple[48:42];
    assign tuple_index_7 = tuple[55:49];

    always @(posedge clock) begin
        if (reset) begin
            matching <= 255'd0;
            columns_0 <= 1785'd0;
            columns_1 <= 1785'd0;
            columns_2 <= 1785'd0;
            columns_3 <= 1785'd0;
            columns_4 <= 1785'd0;
            columns_5 <= 1785'd0;
            columns_6 <= 1785'd0;
            columns_7 <= 1785'd0;
        end else begin
            if (update) begin
                matching <= now;
            end
            if (pushes) begin
                columns_0 <= {columns_0[1777:0], tuple_index_0};
            end
            if (pushes) begin
                columns_1 <= {columns_1[1777:0], tuple_index_1};
            end
            if (pushes) begin
                columns_2 <= {columns_2[1777:0], tuple_index_2};
            end
            if (pushes) begin
                columns_3 <= {columns_3[1777:0], tuple_index_3};
            end
            if (pushes) begin
                columns_4 <= {columns_4[1777:0], tuple_index_4};
            end
            if (pushes) begin
                columns_5 <= {columns_5[1777:0], tuple_index_5};
            end
            if (pushes) begin
                columns_6 <= {columns_6[1777:0], tuple_index_6};
            end
            if (pushes) begin
                columns_7 <= {columns_7[1777:0], tuple_index_7};
            end
        end
    end

endmodule

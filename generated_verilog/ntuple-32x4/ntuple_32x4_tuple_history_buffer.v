// ntuple-32x4 of Tracewright, scheme ntuple.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
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
    wire [6:0]    entry_0;
    wire [6:0]    entry_1;
    wire [6:0]    entry_2;
    wire [6:0]    entry_3;
    wire [6:0]    entry_4;
    wire [6:0]    entry_5;
    wire [6:0]    entry_6;
    wire [6:0]    entry_7;
    wire [6:0]    entry_8;
    wire [6:0]    entry_9;
    wire [6:0]    entry_10;
    wire [6:0]    entry_11;
    wire [6:0]    entry_12;
    wire [6:0]    entry_13;
    wire [6:0]    entry_14;
    wire [6:0]    entry_15;
    wire [6:0]    entry_16;
    wire [6:0]    entry_17;
    wire [6:0]    entry_18;
    wire [6:0]    entry_19;
    wire [6:0]    entry_20;
    wire [6:0]    entry_21;
    wire [6:0]    entry_22;
    wire [6:0]    entry_23;
    wire [6:0]    entry_24;
    wire [6:0]    entry_25;
    wire [6:0]    entry_26;
    wire [6:0]    entry_27;
    wire [6:0]    entry_28;
    wire [6:0]    entry_29;
    wire [6:0]    entry_30;
    wire [6:0]    entry_31;
    wire [6:0]    entry_32;
    wire [6:0]    entry_33;
    wire [6:0]    entry_34;
    wire [6:0]    entry_35;
    wire [6:0]    entry_36;
    wire [6:0]    entry_37;
    wire [6:0]    entry_38;
    wire [6:0]    entry_39;
    wire [6:0]    entry_40;
    wire [6:0]    entry_41;
    wire [6:0]    entry_42;
    wire [6:0]    entry_43;
    wire [6:0]    entry_44;
    wire [6:0]    entry_45;
    wire [6:0]    entry_46;
    wire [6:0]    entry_47;
    wire [6:0]    entry_48;
    wire [6:0]    entry_49;
    wire [6:0]    entry_50;
    wire [6:0]    entry_51;
    wire [6:0]    entry_52;
    wire [6:0]    entry_53;
    wire [6:0]    entry_54;
    wire [6:0]    entry_55;
    wire [6:0]    entry_56;
    wire [6:0]    entry_57;
    wire [6:0]    entry_58;
    wire [6:0]    entry_59;
    wire [6:0]    entry_60;
    wire [6:0]    entry_61;
    wire [6:0]    entry_62;
    wire [6:0]    entry_63;
    wire [6:0]    entry_64;
    wire [6:0]    entry_65;
    wire [6:0]    entry_66;
    wire [6:0]    entry_67;
    wire [6:0]    entry_68;
    wire [6:0]    entry_69;
    wire [6:0]    entry_70;
    wire [6:0]    entry_71;
    wire [6:0]    entry_72;
    wire [6:0]    entry_73;
    wire [6:0]    entry_74;
    wire [6:0]    entry_75;
    wire [6:0]    entry_76;
    wire [6:0]    entry_77;
    wire [6:0]    entry_78;
    wire [6:0]    entry_79;
    wire [6:0]    entry_80;
    wire [6:0]    entry_81;
    wire [6:0]    entry_82;
    wire [6:0]    entry_83;
    wire [6:0]    entry_84;
    wire [6:0]    entry_85;
    wire [6:0]    entry_86;
    wire [6:0]    entry_87;
    wire [6:0]    entry_88;
    wire [6:0]    entry_89;
    wire [6:0]    entry_90;
    wire [6:0]    entry_91;
    wire [6:0]    entry_92;
    wire [6:0]    entry_93;
    wire [6:0]    entry_94;
    wire [6:0]    entry_95;
    wire [6:0]    entry_96;
    wire [6:0]    entry_97;
    wire [6:0]    entry_98;
    wire [6:0]    entry_99;
    wire [6:0]    entry_100;
    wire [6:0]    entry_101;
    wire [6:0]    entry_102;
    wire [6:0]    entry_103;
    wire [6:0]    entry_104;
    wire [6:0]    entry_105;
    wire [6:0]    entry_106;
    wire [6:0]    entry_107;
    wire [6:0]    entry_108;
    wire [6:0]    entry_109;
    wire [6:0]    entry_110;
    wire [6:0]    entry_111;
    wire [6:0]    entry_112;
    wire [6:0]    entry_113;
    wire [6:0]    entry_114;
    wire [6:0]    entry_115;
    wire [6:0]    entry_116;
    wire [6:0]    entry_117;
    wire [6:0]    entry_118;
    wire [6:0]    entry_119;
    wire [6:0]    entry_120;
    wire [6:0]    entry_121;
    wire [6:0]    entry_122;
    wire [6:0]    entry_123;
    wire [6:0]    entry_124;
    wire [6:0]    entry_125;
    wire [6:0]    entry_126;
    wire [6:0]    entry_127;
    wire [6:0]    entry_128;
    wire [6:0]    entry_129;
    wire [6:0]    entry_130;
    wire [6:0]    entry_131;
    wire [6:0]    entry_132;
    wire [6:0]    entry_133;
    wire [6:0]    entry_134;
    wire [6:0]    entry_135;
    wire [6:0]    entry_136;
    wire [6:0]    entry_137;
    wire [6:0]    entry_138;
    wire [6:0]    entry_139;
    wire [6:0]    entry_140;
    wire [6:0]    entry_141;
    wire [6:0]    entry_142;
    wire [6:0]    entry_143;
    wire [6:0]    entry_144;
    wire [6:0]    entry_145;
    wire [6:0]    entry_146;
    wire [6:0]    entry_147;
    wire [6:0]    entry_148;
    wire [6:0]    entry_149;
    wire [6:0]    entry_150;
    wire [6:0]    entry_151;
    wire [6:0]    entry_152;
    wire [6:0]    entry_153;
    wire [6:0]    entry_154;
    wire [6:0]    entry_155;
    wire [6:0]    entry_156;
    wire [6:0]    entry_157;
    wire [6:0]    entry_158;
    wire [6:0]    entry_159;
    wire [6:0]    entry_160;
    wire [6:0]    entry_161;
    wire [6:0]    entry_162;
    wire [6:0]    entry_163;
    wire [6:0]    entry_164;
    wire [6:0]    entry_165;
    wire [6:0]    entry_166;
    wire [6:0]    entry_167;
    wire [6:0]    entry_168;
    wire [6:0]    entry_169;
    wire [6:0]    entry_170;
    wire [6:0]    entry_171;
    wire [6:0]    entry_172;
    wire [6:0]    entry_173;
    wire [6:0]    entry_174;
    wire [6:0]    entry_175;
    wire [6:0]    entry_176;
    wire [6:0]    entry_177;
    wire [6:0]    entry_178;
    wire [6:0]    entry_179;
    wire [6:0]    entry_180;
    wire [6:0]    entry_181;
    wire [6:0]    entry_182;
    wire [6:0]    entry_183;
    wire [6:0]    entry_184;
    wire [6:0]    entry_185;
    wire [6:0]    entry_186;
    wire [6:0]    entry_187;
    wire [6:0]    entry_188;
    wire [6:0]    entry_189;
    wire [6:0]    entry_190;
    wire [6:0]    entry_191;
    wire [6:0]    entry_192;
    wire [6:0]    entry_193;
    wire [6:0]    entry_194;
    wire [6:0]    entry_195;
    wire [6:0]    entry_196;
    wire [6:0]    entry_197;
    wire [6:0]    entry_198;
    wire [6:0]    entry_199;
    wire [6:0]    entry_200;
    wire [6:0]    entry_201;
    wire [6:0]    entry_202;
    wire [6:0]    entry_203;
    wire [6:0]    entry_204;
    wire [6:0]    entry_205;
    wire [6:0]    entry_206;
    wire [6:0]    entry_207;
    wire [6:0]    entry_208;
    wire [6:0]    entry_209;
    wire [6:0]    entry_210;
    wire [6:0]    entry_211;
    wire [6:0]    entry_212;
    wire [6:0]    entry_213;
    wire [6:0]    entry_214;
    wire [6:0]    entry_215;
    wire [6:0]    entry_216;
    wire [6:0]    entry_217;
    wire [6:0]    entry_218;
    wire [6:0]    entry_219;
    wire [6:0]    entry_220;
    wire [6:0]    entry_221;
    wire [6:0]    entry_222;
    wire [6:0]    entry_223;
    wire [6:0]    entry_224;
    wire [6:0]    entry_225;
    wire [6:0]    entry_226;
    wire [6:0]    entry_227;
    wire [6:0]    entry_228;
    wire [6:0]    entry_229;
    wire [6:0]    entry_230;
    wire [6:0]    entry_231;
    wire [6:0]    entry_232;
    wire [6:0]    entry_233;
    wire [6:0]    entry_234;
    wire [6:0]    entry_235;
    wire [6:0]    entry_236;
    wire [6:0]    entry_237;
    wire [6:0]    entry_238;
    wire [6:0]    entry_239;
    wire [6:0]    entry_240;
    wire [6:0]    entry_241;
    wire [6:0]    entry_242;
    wire [6:0]    entry_243;
    wire [6:0]    entry_244;
    wire [6:0]    entry_245;
    wire [6:0]    entry_246;
    wire [6:0]    entry_247;
    wire [6:0]    entry_248;
    wire [6:0]    entry_249;
    wire [6:0]    entry_250;
    wire [6:0]    entry_251;
    wire [6:0]    entry_252;
    wire [6:0]    entry_253;
    wire [6:0]    entry_254;
    reg  [254:0]  now;
    wire [254:0]  newest; // one hot
    wire [6:0]    tuple_index_0;
    wire [6:0]    tuple_index_1;
    wire [6:0]    tuple_index_2;
    wire [6:0]    tuple_index_3;
    wire [6:0]    tuple_index_4;
    wire [6:0]    tuple_index_5;
    wire [6:0]    tuple_index_6;
    wire [6:0]    tuple_index_7;
    wire [1784:0] tuple_column_0;
    wire [1784:0] tuple_column_1;
    wire [1784:0] tuple_column_2;
    wire [1784:0] tuple_column_3;
    wire [1784:0] tuple_column_4;
    wire [1784:0] tuple_column_5;
    wire [1784:0] tuple_column_6;
    wire [1784:0] tuple_column_7;
    wire          pushes;

    always @* begin
        so_far = matching;
        if (!(|place)) begin
            so_far = 255'h7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff;
        end
    end

    always @* begin
        column = 1785'd0;
        if (place == 3'd0) begin
            column = columns_0;
        end
        if (place == 3'd1) begin
            column = columns_1;
        end
        if (place == 3'd2) begin
            column = columns_2;
        end
        if (place == 3'd3) begin
            column = columns_3;
        end
        if (place == 3'd4) begin
            column = columns_4;
        end
        if (place == 3'd5) begin
            column = columns_5;
        end
        if (place == 3'd6) begin
            column = columns_6;
        end
        if (place == 3'd7) begin
            column = columns_7;
        end
    end

    always @* begin
        now = 255'd0;
        if ((entry_0 == index) && so_far[0]) begin
            now = 255'd1;
        end
        if ((entry_1 == index) && so_far[1]) begin
            now = {now[254:2], 1'd1, now[0]};
        end
        if ((entry_2 == index) && so_far[2]) begin
            now = {now[254:3], 1'd1, now[1:0]};
        end
        if ((entry_3 == index) && so_far[3]) begin
            now = {now[254:4], 1'd1, now[2:0]};
        end
        if ((entry_4 == index) && so_far[4]) begin
            now = {now[254:5], 1'd1, now[3:0]};
        end
        if ((entry_5 == index) && so_far[5]) begin
            now = {now[254:6], 1'd1, now[4:0]};
        end
        if ((entry_6 == index) && so_far[6]) begin
            now = {now[254:7], 1'd1, now[5:0]};
        end
        if ((entry_7 == index) && so_far[7]) begin
            now = {now[254:8], 1'd1, now[6:0]};
        end
        if ((entry_8 == index) && so_far[8]) begin
            now = {now[254:9], 1'd1, now[7:0]};
        end
        if ((entry_9 == index) && so_far[9]) begin
            now = {now[254:10], 1'd1, now[8:0]};
        end
        if ((entry_10 == index) && so_far[10]) begin
            now = {now[254:11], 1'd1, now[9:0]};
        end
        if ((entry_11 == index) && so_far[11]) begin
            now = {now[254:12], 1'd1, now[10:0]};
        end
        if ((entry_12 == index) && so_far[12]) begin
            now = {now[254:13], 1'd1, now[11:0]};
        end
        if ((entry_13 == index) && so_far[13]) begin
            now = {now[254:14], 1'd1, now[12:0]};
        end
        if ((entry_14 == index) && so_far[14]) begin
            now = {now[254:15], 1'd1, now[13:0]};
        end
        if ((entry_15 == index) && so_far[15]) begin
            now = {now[254:16], 1'd1, now[14:0]};
        end
        if ((entry_16 == index) && so_far[16]) begin
            now = {now[254:17], 1'd1, now[15:0]};
        end
        if ((entry_17 == index) && so_far[17]) begin
            now = {now[254:18], 1'd1, now[16:0]};
        end
        if ((entry_18 == index) && so_far[18]) begin
            now = {now[254:19], 1'd1, now[17:0]};
        end
        if ((entry_19 == index) && so_far[19]) begin
            now = {now[254:20], 1'd1, now[18:0]};
        end
        if ((entry_20 == index) && so_far[20]) begin
            now = {now[254:21], 1'd1, now[19:0]};
        end
        if ((entry_21 == index) && so_far[21]) begin
            now = {now[254:22], 1'd1, now[20:0]};
        end
        if ((entry_22 == index) && so_far[22]) begin
            now = {now[254:23], 1'd1, now[21:0]};
        end
        if ((entry_23 == index) && so_far[23]) begin
            now = {now[254:24], 1'd1, now[22:0]};
        end
        if ((entry_24 == index) && so_far[24]) begin
            now = {now[254:25], 1'd1, now[23:0]};
        end
        if ((entry_25 == index) && so_far[25]) begin
            now = {now[254:26], 1'd1, now[24:0]};
        end
        if ((entry_26 == index) && so_far[26]) begin
            now = {now[254:27], 1'd1, now[25:0]};
        end
        if ((entry_27 == index) && so_far[27]) begin
            now = {now[254:28], 1'd1, now[26:0]};
        end
        if ((entry_28 == index) && so_far[28]) begin
            now = {now[254:29], 1'd1, now[27:0]};
        end
        if ((entry_29 == index) && so_far[29]) begin
            now = {now[254:30], 1'd1, now[28:0]};
        end
        if ((entry_30 == index) && so_far[30]) begin
            now = {now[254:31], 1'd1, now[29:0]};
        end
        if ((entry_31 == index) && so_far[31]) begin
            now = {now[254:32], 1'd1, now[30:0]};
        end
        if ((entry_32 == index) && so_far[32]) begin
            now = {now[254:33], 1'd1, now[31:0]};
        end
        if ((entry_33 == index) && so_far[33]) begin
            now = {now[254:34], 1'd1, now[32:0]};
        end
        if ((entry_34 == index) && so_far[34]) begin
            now = {now[254:35], 1'd1, now[33:0]};
        end
        if ((entry_35 == index) && so_far[35]) begin
            now = {now[254:36], 1'd1, now[34:0]};
        end
        if ((entry_36 == index) && so_far[36]) begin
            now = {now[254:37], 1'd1, now[35:0]};
        end
        if ((entry_37 == index) && so_far[37]) begin
            now = {now[254:38], 1'd1, now[36:0]};
        end
        if ((entry_38 == index) && so_far[38]) begin
            now = {now[254:39], 1'd1, now[37:0]};
        end
        if ((entry_39 == index) && so_far[39]) begin
            now = {now[254:40], 1'd1, now[38:0]};
        end
        if ((entry_40 == index) && so_far[40]) begin
            now = {now[254:41], 1'd1, now[39:0]};
        end
        if ((entry_41 == index) && so_far[41]) begin
            now = {now[254:42], 1'd1, now[40:0]};
        end
        if ((entry_42 == index) && so_far[42]) begin
            now = {now[254:43], 1'd1, now[41:0]};
        end
        if ((entry_43 == index) && so_far[43]) begin
            now = {now[254:44], 1'd1, now[42:0]};
        end
        if ((entry_44 == index) && so_far[44]) begin
            now = {now[254:45], 1'd1, now[43:0]};
        end
        if ((entry_45 == index) && so_far[45]) begin
            now = {now[254:46], 1'd1, now[44:0]};
        end
        if ((entry_46 == index) && so_far[46]) begin
            now = {now[254:47], 1'd1, now[45:0]};
        end
        if ((entry_47 == index) && so_far[47]) begin
            now = {now[254:48], 1'd1, now[46:0]};
        end
        if ((entry_48 == index) && so_far[48]) begin
            now = {now[254:49], 1'd1, now[47:0]};
        end
        if ((entry_49 == index) && so_far[49]) begin
            now = {now[254:50], 1'd1, now[48:0]};
        end
        if ((entry_50 == index) && so_far[50]) begin
            now = {now[254:51], 1'd1, now[49:0]};
        end
        if ((entry_51 == index) && so_far[51]) begin
            now = {now[254:52], 1'd1, now[50:0]};
        end
        if ((entry_52 == index) && so_far[52]) begin
            now = {now[254:53], 1'd1, now[51:0]};
        end
        if ((entry_53 == index) && so_far[53]) begin
            now = {now[254:54], 1'd1, now[52:0]};
        end
        if ((entry_54 == index) && so_far[54]) begin
            now = {now[254:55], 1'd1, now[53:0]};
        end
        if ((entry_55 == index) && so_far[55]) begin
            now = {now[254:56], 1'd1, now[54:0]};
        end
        if ((entry_56 == index) && so_far[56]) begin
            now = {now[254:57], 1'd1, now[55:0]};
        end
        if ((entry_57 == index) && so_far[57]) begin
            now = {now[254:58], 1'd1, now[56:0]};
        end
        if ((entry_58 == index) && so_far[58]) begin
            now = {now[254:59], 1'd1, now[57:0]};
        end
        if ((entry_59 == index) && so_far[59]) begin
            now = {now[254:60], 1'd1, now[58:0]};
        end
        if ((entry_60 == index) && so_far[60]) begin
            now = {now[254:61], 1'd1, now[59:0]};
        end
        if ((entry_61 == index) && so_far[61]) begin
            now = {now[254:62], 1'd1, now[60:0]};
        end
        if ((entry_62 == index) && so_far[62]) begin
            now = {now[254:63], 1'd1, now[61:0]};
        end
        if ((entry_63 == index) && so_far[63]) begin
            now = {now[254:64], 1'd1, now[62:0]};
        end
        if ((entry_64 == index) && so_far[64]) begin
            now = {now[254:65], 1'd1, now[63:0]};
        end
        if ((entry_65 == index) && so_far[65]) begin
            now = {now[254:66], 1'd1, now[64:0]};
        end
        if ((entry_66 == index) && so_far[66]) begin
            now = {now[254:67], 1'd1, now[65:0]};
        end
        if ((entry_67 == index) && so_far[67]) begin
            now = {now[254:68], 1'd1, now[66:0]};
        end
        if ((entry_68 == index) && so_far[68]) begin
            now = {now[254:69], 1'd1, now[67:0]};
        end
        if ((entry_69 == index) && so_far[69]) begin
            now = {now[254:70], 1'd1, now[68:0]};
        end
        if ((entry_70 == index) && so_far[70]) begin
            now = {now[254:71], 1'd1, now[69:0]};
        end
        if ((entry_71 == index) && so_far[71]) begin
            now = {now[254:72], 1'd1, now[70:0]};
        end
        if ((entry_72 == index) && so_far[72]) begin
            now = {now[254:73], 1'd1, now[71:0]};
        end
        if ((entry_73 == index) && so_far[73]) begin
            now = {now[254:74], 1'd1, now[72:0]};
        end
        if ((entry_74 == index) && so_far[74]) begin
            now = {now[254:75], 1'd1, now[73:0]};
        end
        if ((entry_75 == index) && so_far[75]) begin
            now = {now[254:76], 1'd1, now[74:0]};
        end
        if ((entry_76 == index) && so_far[76]) begin
            now = {now[254:77], 1'd1, now[75:0]};
        end
        if ((entry_77 == index) && so_far[77]) begin
            now = {now[254:78], 1'd1, now[76:0]};
        end
        if ((entry_78 == index) && so_far[78]) begin
            now = {now[254:79], 1'd1, now[77:0]};
        end
        if ((entry_79 == index) && so_far[79]) begin
            now = {now[254:80], 1'd1, now[78:0]};
        end
        if ((entry_80 == index) && so_far[80]) begin
            now = {now[254:81], 1'd1, now[79:0]};
        end
        if ((entry_81 == index) && so_far[81]) begin
            now = {now[254:82], 1'd1, now[80:0]};
        end
        if ((entry_82 == index) && so_far[82]) begin
            now = {now[254:83], 1'd1, now[81:0]};
        end
        if ((entry_83 == index) && so_far[83]) begin
            now = {now[254:84], 1'd1, now[82:0]};
        end
        if ((entry_84 == index) && so_far[84]) begin
            now = {now[254:85], 1'd1, now[83:0]};
        end
        if ((entry_85 == index) && so_far[85]) begin
            now = {now[254:86], 1'd1, now[84:0]};
        end
        if ((entry_86 == index) && so_far[86]) begin
            now = {now[254:87], 1'd1, now[85:0]};
        end
        if ((entry_87 == index) && so_far[87]) begin
            now = {now[254:88], 1'd1, now[86:0]};
        end
        if ((entry_88 == index) && so_far[88]) begin
            now = {now[254:89], 1'd1, now[87:0]};
        end
        if ((entry_89 == index) && so_far[89]) begin
            now = {now[254:90], 1'd1, now[88:0]};
        end
        if ((entry_90 == index) && so_far[90]) begin
            now = {now[254:91], 1'd1, now[89:0]};
        end
        if ((entry_91 == index) && so_far[91]) begin
            now = {now[254:92], 1'd1, now[90:0]};
        end
        if ((entry_92 == index) && so_far[92]) begin
            now = {now[254:93], 1'd1, now[91:0]};
        end
        if ((entry_93 == index) && so_far[93]) begin
            now = {now[254:94], 1'd1, now[92:0]};
        end
        if ((entry_94 == index) && so_far[94]) begin
            now = {now[254:95], 1'd1, now[93:0]};
        end
        if ((entry_95 == index) && so_far[95]) begin
            now = {now[254:96], 1'd1, now[94:0]};
        end
        if ((entry_96 == index) && so_far[96]) begin
            now = {now[254:97], 1'd1, now[95:0]};
        end
        if ((entry_97 == index) && so_far[97]) begin
            now = {now[254:98], 1'd1, now[96:0]};
        end
        if ((entry_98 == index) && so_far[98]) begin
            now = {now[254:99], 1'd1, now[97:0]};
        end
        if ((entry_99 == index) && so_far[99]) begin
            now = {now[254:100], 1'd1, now[98:0]};
        end
        if ((entry_100 == index) && so_far[100]) begin
            now = {now[254:101], 1'd1, now[99:0]};
        end
        if ((entry_101 == index) && so_far[101]) begin
            now = {now[254:102], 1'd1, now[100:0]};
        end
        if ((entry_102 == index) && so_far[102]) begin
            now = {now[254:103], 1'd1, now[101:0]};
        end
        if ((entry_103 == index) && so_far[103]) begin
            now = {now[254:104], 1'd1, now[102:0]};
        end
        if ((entry_104 == index) && so_far[104]) begin
            now = {now[254:105], 1'd1, now[103:0]};
        end
        if ((entry_105 == index) && so_far[105]) begin
            now = {now[254:106], 1'd1, now[104:0]};
        end
        if ((entry_106 == index) && so_far[106]) begin
            now = {now[254:107], 1'd1, now[105:0]};
        end
        if ((entry_107 == index) && so_far[107]) begin
            now = {now[254:108], 1'd1, now[106:0]};
        end
        if ((entry_108 == index) && so_far[108]) begin
            now = {now[254:109], 1'd1, now[107:0]};
        end
        if ((entry_109 == index) && so_far[109]) begin
            now = {now[254:110], 1'd1, now[108:0]};
        end
        if ((entry_110 == index) && so_far[110]) begin
            now = {now[254:111], 1'd1, now[109:0]};
        end
        if ((entry_111 == index) && so_far[111]) begin
            now = {now[254:112], 1'd1, now[110:0]};
        end
        if ((entry_112 == index) && so_far[112]) begin
            now = {now[254:113], 1'd1, now[111:0]};
        end
        if ((entry_113 == index) && so_far[113]) begin
            now = {now[254:114], 1'd1, now[112:0]};
        end
        if ((entry_114 == index) && so_far[114]) begin
            now = {now[254:115], 1'd1, now[113:0]};
        end
        if ((entry_115 == index) && so_far[115]) begin
            now = {now[254:116], 1'd1, now[114:0]};
        end
        if ((entry_116 == index) && so_far[116]) begin
            now = {now[254:117], 1'd1, now[115:0]};
        end
        if ((entry_117 == index) && so_far[117]) begin
            now = {now[254:118], 1'd1, now[116:0]};
        end
        if ((entry_118 == index) && so_far[118]) begin
            now = {now[254:119], 1'd1, now[117:0]};
        end
        if ((entry_119 == index) && so_far[119]) begin
            now = {now[254:120], 1'd1, now[118:0]};
        end
        if ((entry_120 == index) && so_far[120]) begin
            now = {now[254:121], 1'd1, now[119:0]};
        end
        if ((entry_121 == index) && so_far[121]) begin
            now = {now[254:122], 1'd1, now[120:0]};
        end
        if ((entry_122 == index) && so_far[122]) begin
            now = {now[254:123], 1'd1, now[121:0]};
        end
        if ((entry_123 == index) && so_far[123]) begin
            now = {now[254:124], 1'd1, now[122:0]};
        end
        if ((entry_124 == index) && so_far[124]) begin
            now = {now[254:125], 1'd1, now[123:0]};
        end
        if ((entry_125 == index) && so_far[125]) begin
            now = {now[254:126], 1'd1, now[124:0]};
        end
        if ((entry_126 == index) && so_far[126]) begin
            now = {now[254:127], 1'd1, now[125:0]};
        end
        if ((entry_127 == index) && so_far[127]) begin
            now = {now[254:128], 1'd1, now[126:0]};
        end
        if ((entry_128 == index) && so_far[128]) begin
            now = {now[254:129], 1'd1, now[127:0]};
        end
        if ((entry_129 == index) && so_far[129]) begin
            now = {now[254:130], 1'd1, now[128:0]};
        end
        if ((entry_130 == index) && so_far[130]) begin
            now = {now[254:131], 1'd1, now[129:0]};
        end
        if ((entry_131 == index) && so_far[131]) begin
            now = {now[254:132], 1'd1, now[130:0]};
        end
        if ((entry_132 == index) && so_far[132]) begin
            now = {now[254:133], 1'd1, now[131:0]};
        end
        if ((entry_133 == index) && so_far[133]) begin
            now = {now[254:134], 1'd1, now[132:0]};
        end
        if ((entry_134 == index) && so_far[134]) begin
            now = {now[254:135], 1'd1, now[133:0]};
        end
        if ((entry_135 == index) && so_far[135]) begin
            now = {now[254:136], 1'd1, now[134:0]};
        end
        if ((entry_136 == index) && so_far[136]) begin
            now = {now[254:137], 1'd1, now[135:0]};
        end
        if ((entry_137 == index) && so_far[137]) begin
            now = {now[254:138], 1'd1, now[136:0]};
        end
        if ((entry_138 == index) && so_far[138]) begin
            now = {now[254:139], 1'd1, now[137:0]};
        end
        if ((entry_139 == index) && so_far[139]) begin
            now = {now[254:140], 1'd1, now[138:0]};
        end
        if ((entry_140 == index) && so_far[140]) begin
            now = {now[254:141], 1'd1, now[139:0]};
        end
        if ((entry_141 == index) && so_far[141]) begin
            now = {now[254:142], 1'd1, now[140:0]};
        end
        if ((entry_142 == index) && so_far[142]) begin
            now = {now[254:143], 1'd1, now[141:0]};
        end
        if ((entry_143 == index) && so_far[143]) begin
            now = {now[254:144], 1'd1, now[142:0]};
        end
        if ((entry_144 == index) && so_far[144]) begin
            now = {now[254:145], 1'd1, now[143:0]};
        end
        if ((entry_145 == index) && so_far[145]) begin
            now = {now[254:146], 1'd1, now[144:0]};
        end
        if ((entry_146 == index) && so_far[146]) begin
            now = {now[254:147], 1'd1, now[145:0]};
        end
        if ((entry_147 == index) && so_far[147]) begin
            now = {now[254:148], 1'd1, now[146:0]};
        end
        if ((entry_148 == index) && so_far[148]) begin
            now = {now[254:149], 1'd1, now[147:0]};
        end
        if ((entry_149 == index) && so_far[149]) begin
            now = {now[254:150], 1'd1, now[148:0]};
        end
        if ((entry_150 == index) && so_far[150]) begin
            now = {now[254:151], 1'd1, now[149:0]};
        end
        if ((entry_151 == index) && so_far[151]) begin
            now = {now[254:152], 1'd1, now[150:0]};
        end
        if ((entry_152 == index) && so_far[152]) begin
            now = {now[254:153], 1'd1, now[151:0]};
        end
        if ((entry_153 == index) && so_far[153]) begin
            now = {now[254:154], 1'd1, now[152:0]};
        end
        if ((entry_154 == index) && so_far[154]) begin
            now = {now[254:155], 1'd1, now[153:0]};
        end
        if ((entry_155 == index) && so_far[155]) begin
            now = {now[254:156], 1'd1, now[154:0]};
        end
        if ((entry_156 == index) && so_far[156]) begin
            now = {now[254:157], 1'd1, now[155:0]};
        end
        if ((entry_157 == index) && so_far[157]) begin
            now = {now[254:158], 1'd1, now[156:0]};
        end
        if ((entry_158 == index) && so_far[158]) begin
            now = {now[254:159], 1'd1, now[157:0]};
        end
        if ((entry_159 == index) && so_far[159]) begin
            now = {now[254:160], 1'd1, now[158:0]};
        end
        if ((entry_160 == index) && so_far[160]) begin
            now = {now[254:161], 1'd1, now[159:0]};
        end
        if ((entry_161 == index) && so_far[161]) begin
            now = {now[254:162], 1'd1, now[160:0]};
        end
        if ((entry_162 == index) && so_far[162]) begin
            now = {now[254:163], 1'd1, now[161:0]};
        end
        if ((entry_163 == index) && so_far[163]) begin
            now = {now[254:164], 1'd1, now[162:0]};
        end
        if ((entry_164 == index) && so_far[164]) begin
            now = {now[254:165], 1'd1, now[163:0]};
        end
        if ((entry_165 == index) && so_far[165]) begin
            now = {now[254:166], 1'd1, now[164:0]};
        end
        if ((entry_166 == index) && so_far[166]) begin
            now = {now[254:167], 1'd1, now[165:0]};
        end
        if ((entry_167 == index) && so_far[167]) begin
            now = {now[254:168], 1'd1, now[166:0]};
        end
        if ((entry_168 == index) && so_far[168]) begin
            now = {now[254:169], 1'd1, now[167:0]};
        end
        if ((entry_169 == index) && so_far[169]) begin
            now = {now[254:170], 1'd1, now[168:0]};
        end
        if ((entry_170 == index) && so_far[170]) begin
            now = {now[254:171], 1'd1, now[169:0]};
        end
        if ((entry_171 == index) && so_far[171]) begin
            now = {now[254:172], 1'd1, now[170:0]};
        end
        if ((entry_172 == index) && so_far[172]) begin
            now = {now[254:173], 1'd1, now[171:0]};
        end
        if ((entry_173 == index) && so_far[173]) begin
            now = {now[254:174], 1'd1, now[172:0]};
        end
        if ((entry_174 == index) && so_far[174]) begin
            now = {now[254:175], 1'd1, now[173:0]};
        end
        if ((entry_175 == index) && so_far[175]) begin
            now = {now[254:176], 1'd1, now[174:0]};
        end
        if ((entry_176 == index) && so_far[176]) begin
            now = {now[254:177], 1'd1, now[175:0]};
        end
        if ((entry_177 == index) && so_far[177]) begin
            now = {now[254:178], 1'd1, now[176:0]};
        end
        if ((entry_178 == index) && so_far[178]) begin
            now = {now[254:179], 1'd1, now[177:0]};
        end
        if ((entry_179 == index) && so_far[179]) begin
            now = {now[254:180], 1'd1, now[178:0]};
        end
        if ((entry_180 == index) && so_far[180]) begin
            now = {now[254:181], 1'd1, now[179:0]};
        end
        if ((entry_181 == index) && so_far[181]) begin
            now = {now[254:182], 1'd1, now[180:0]};
        end
        if ((entry_182 == index) && so_far[182]) begin
            now = {now[254:183], 1'd1, now[181:0]};
        end
        if ((entry_183 == index) && so_far[183]) begin
            now = {now[254:184], 1'd1, now[182:0]};
        end
        if ((entry_184 == index) && so_far[184]) begin
            now = {now[254:185], 1'd1, now[183:0]};
        end
        if ((entry_185 == index) && so_far[185]) begin
            now = {now[254:186], 1'd1, now[184:0]};
        end
        if ((entry_186 == index) && so_far[186]) begin
            now = {now[254:187], 1'd1, now[185:0]};
        end
        if ((entry_187 == index) && so_far[187]) begin
            now = {now[254:188], 1'd1, now[186:0]};
        end
        if ((entry_188 == index) && so_far[188]) begin
            now = {now[254:189], 1'd1, now[187:0]};
        end
        if ((entry_189 == index) && so_far[189]) begin
            now = {now[254:190], 1'd1, now[188:0]};
        end
        if ((entry_190 == index) && so_far[190]) begin
            now = {now[254:191], 1'd1, now[189:0]};
        end
        if ((entry_191 == index) && so_far[191]) begin
            now = {now[254:192], 1'd1, now[190:0]};
        end
        if ((entry_192 == index) && so_far[192]) begin
            now = {now[254:193], 1'd1, now[191:0]};
        end
        if ((entry_193 == index) && so_far[193]) begin
            now = {now[254:194], 1'd1, now[192:0]};
        end
        if ((entry_194 == index) && so_far[194]) begin
            now = {now[254:195], 1'd1, now[193:0]};
        end
        if ((entry_195 == index) && so_far[195]) begin
            now = {now[254:196], 1'd1, now[194:0]};
        end
        if ((entry_196 == index) && so_far[196]) begin
            now = {now[254:197], 1'd1, now[195:0]};
        end
        if ((entry_197 == index) && so_far[197]) begin
            now = {now[254:198], 1'd1, now[196:0]};
        end
        if ((entry_198 == index) && so_far[198]) begin
            now = {now[254:199], 1'd1, now[197:0]};
        end
        if ((entry_199 == index) && so_far[199]) begin
            now = {now[254:200], 1'd1, now[198:0]};
        end
        if ((entry_200 == index) && so_far[200]) begin
            now = {now[254:201], 1'd1, now[199:0]};
        end
        if ((entry_201 == index) && so_far[201]) begin
            now = {now[254:202], 1'd1, now[200:0]};
        end
        if ((entry_202 == index) && so_far[202]) begin
            now = {now[254:203], 1'd1, now[201:0]};
        end
        if ((entry_203 == index) && so_far[203]) begin
            now = {now[254:204], 1'd1, now[202:0]};
        end
        if ((entry_204 == index) && so_far[204]) begin
            now = {now[254:205], 1'd1, now[203:0]};
        end
        if ((entry_205 == index) && so_far[205]) begin
            now = {now[254:206], 1'd1, now[204:0]};
        end
        if ((entry_206 == index) && so_far[206]) begin
            now = {now[254:207], 1'd1, now[205:0]};
        end
        if ((entry_207 == index) && so_far[207]) begin
            now = {now[254:208], 1'd1, now[206:0]};
        end
        if ((entry_208 == index) && so_far[208]) begin
            now = {now[254:209], 1'd1, now[207:0]};
        end
        if ((entry_209 == index) && so_far[209]) begin
            now = {now[254:210], 1'd1, now[208:0]};
        end
        if ((entry_210 == index) && so_far[210]) begin
            now = {now[254:211], 1'd1, now[209:0]};
        end
        if ((entry_211 == index) && so_far[211]) begin
            now = {now[254:212], 1'd1, now[210:0]};
        end
        if ((entry_212 == index) && so_far[212]) begin
            now = {now[254:213], 1'd1, now[211:0]};
        end
        if ((entry_213 == index) && so_far[213]) begin
            now = {now[254:214], 1'd1, now[212:0]};
        end
        if ((entry_214 == index) && so_far[214]) begin
            now = {now[254:215], 1'd1, now[213:0]};
        end
        if ((entry_215 == index) && so_far[215]) begin
            now = {now[254:216], 1'd1, now[214:0]};
        end
        if ((entry_216 == index) && so_far[216]) begin
            now = {now[254:217], 1'd1, now[215:0]};
        end
        if ((entry_217 == index) && so_far[217]) begin
            now = {now[254:218], 1'd1, now[216:0]};
        end
        if ((entry_218 == index) && so_far[218]) begin
            now = {now[254:219], 1'd1, now[217:0]};
        end
        if ((entry_219 == index) && so_far[219]) begin
            now = {now[254:220], 1'd1, now[218:0]};
        end
        if ((entry_220 == index) && so_far[220]) begin
            now = {now[254:221], 1'd1, now[219:0]};
        end
        if ((entry_221 == index) && so_far[221]) begin
            now = {now[254:222], 1'd1, now[220:0]};
        end
        if ((entry_222 == index) && so_far[222]) begin
            now = {now[254:223], 1'd1, now[221:0]};
        end
        if ((entry_223 == index) && so_far[223]) begin
            now = {now[254:224], 1'd1, now[222:0]};
        end
        if ((entry_224 == index) && so_far[224]) begin
            now = {now[254:225], 1'd1, now[223:0]};
        end
        if ((entry_225 == index) && so_far[225]) begin
            now = {now[254:226], 1'd1, now[224:0]};
        end
        if ((entry_226 == index) && so_far[226]) begin
            now = {now[254:227], 1'd1, now[225:0]};
        end
        if ((entry_227 == index) && so_far[227]) begin
            now = {now[254:228], 1'd1, now[226:0]};
        end
        if ((entry_228 == index) && so_far[228]) begin
            now = {now[254:229], 1'd1, now[227:0]};
        end
        if ((entry_229 == index) && so_far[229]) begin
            now = {now[254:230], 1'd1, now[228:0]};
        end
        if ((entry_230 == index) && so_far[230]) begin
            now = {now[254:231], 1'd1, now[229:0]};
        end
        if ((entry_231 == index) && so_far[231]) begin
            now = {now[254:232], 1'd1, now[230:0]};
        end
        if ((entry_232 == index) && so_far[232]) begin
            now = {now[254:233], 1'd1, now[231:0]};
        end
        if ((entry_233 == index) && so_far[233]) begin
            now = {now[254:234], 1'd1, now[232:0]};
        end
        if ((entry_234 == index) && so_far[234]) begin
            now = {now[254:235], 1'd1, now[233:0]};
        end
        if ((entry_235 == index) && so_far[235]) begin
            now = {now[254:236], 1'd1, now[234:0]};
        end
        if ((entry_236 == index) && so_far[236]) begin
            now = {now[254:237], 1'd1, now[235:0]};
        end
        if ((entry_237 == index) && so_far[237]) begin
            now = {now[254:238], 1'd1, now[236:0]};
        end
        if ((entry_238 == index) && so_far[238]) begin
            now = {now[254:239], 1'd1, now[237:0]};
        end
        if ((entry_239 == index) && so_far[239]) begin
            now = {now[254:240], 1'd1, now[238:0]};
        end
        if ((entry_240 == index) && so_far[240]) begin
            now = {now[254:241], 1'd1, now[239:0]};
        end
        if ((entry_241 == index) && so_far[241]) begin
            now = {now[254:242], 1'd1, now[240:0]};
        end
        if ((entry_242 == index) && so_far[242]) begin
            now = {now[254:243], 1'd1, now[241:0]};
        end
        if ((entry_243 == index) && so_far[243]) begin
            now = {now[254:244], 1'd1, now[242:0]};
        end
        if ((entry_244 == index) && so_far[244]) begin
            now = {now[254:245], 1'd1, now[243:0]};
        end
        if ((entry_245 == index) && so_far[245]) begin
            now = {now[254:246], 1'd1, now[244:0]};
        end
        if ((entry_246 == index) && so_far[246]) begin
            now = {now[254:247], 1'd1, now[245:0]};
        end
        if ((entry_247 == index) && so_far[247]) begin
            now = {now[254:248], 1'd1, now[246:0]};
        end
        if ((entry_248 == index) && so_far[248]) begin
            now = {now[254:249], 1'd1, now[247:0]};
        end
        if ((entry_249 == index) && so_far[249]) begin
            now = {now[254:250], 1'd1, now[248:0]};
        end
        if ((entry_250 == index) && so_far[250]) begin
            now = {now[254:251], 1'd1, now[249:0]};
        end
        if ((entry_251 == index) && so_far[251]) begin
            now = {now[254:252], 1'd1, now[250:0]};
        end
        if ((entry_252 == index) && so_far[252]) begin
            now = {now[254:253], 1'd1, now[251:0]};
        end
        if ((entry_253 == index) && so_far[253]) begin
            now = {now[254], 1'd1, now[252:0]};
        end
        if ((entry_254 == index) && so_far[254]) begin
            now = {1'd1, now[253:0]};
        end
    end

    assign entry_0 = column[6:0];
    assign entry_1 = column[13:7];
    assign entry_2 = column[20:14];
    assign entry_3 = column[27:21];
    assign entry_4 = column[34:28];
    assign entry_5 = column[41:35];
    assign entry_6 = column[48:42];
    assign entry_7 = column[55:49];
    assign entry_8 = column[62:56];
    assign entry_9 = column[69:63];
    assign entry_10 = column[76:70];
    assign entry_11 = column[83:77];
    assign entry_12 = column[90:84];
    assign entry_13 = column[97:91];
    assign entry_14 = column[104:98];
    assign entry_15 = column[111:105];
    assign entry_16 = column[118:112];
    assign entry_17 = column[125:119];
    assign entry_18 = column[132:126];
    assign entry_19 = column[139:133];
    assign entry_20 = column[146:140];
    assign entry_21 = column[153:147];
    assign entry_22 = column[160:154];
    assign entry_23 = column[167:161];
    assign entry_24 = column[174:168];
    assign entry_25 = column[181:175];
    assign entry_26 = column[188:182];
    assign entry_27 = column[195:189];
    assign entry_28 = column[202:196];
    assign entry_29 = column[209:203];
    assign entry_30 = column[216:210];
    assign entry_31 = column[223:217];
    assign entry_32 = column[230:224];
    assign entry_33 = column[237:231];
    assign entry_34 = column[244:238];
    assign entry_35 = column[251:245];
    assign entry_36 = column[258:252];
    assign entry_37 = column[265:259];
    assign entry_38 = column[272:266];
    assign entry_39 = column[279:273];
    assign entry_40 = column[286:280];
    assign entry_41 = column[293:287];
    assign entry_42 = column[300:294];
    assign entry_43 = column[307:301];
    assign entry_44 = column[314:308];
    assign entry_45 = column[321:315];
    assign entry_46 = column[328:322];
    assign entry_47 = column[335:329];
    assign entry_48 = column[342:336];
    assign entry_49 = column[349:343];
    assign entry_50 = column[356:350];
    assign entry_51 = column[363:357];
    assign entry_52 = column[370:364];
    assign entry_53 = column[377:371];
    assign entry_54 = column[384:378];
    assign entry_55 = column[391:385];
    assign entry_56 = column[398:392];
    assign entry_57 = column[405:399];
    assign entry_58 = column[412:406];
    assign entry_59 = column[419:413];
    assign entry_60 = column[426:420];
    assign entry_61 = column[433:427];
    assign entry_62 = column[440:434];
    assign entry_63 = column[447:441];
    assign entry_64 = column[454:448];
    assign entry_65 = column[461:455];
    assign entry_66 = column[468:462];
    assign entry_67 = column[475:469];
    assign entry_68 = column[482:476];
    assign entry_69 = column[489:483];
    assign entry_70 = column[496:490];
    assign entry_71 = column[503:497];
    assign entry_72 = column[510:504];
    assign entry_73 = column[517:511];
    assign entry_74 = column[524:518];
    assign entry_75 = column[531:525];
    assign entry_76 = column[538:532];
    assign entry_77 = column[545:539];
    assign entry_78 = column[552:546];
    assign entry_79 = column[559:553];
    assign entry_80 = column[566:560];
    assign entry_81 = column[573:567];
    assign entry_82 = column[580:574];
    assign entry_83 = column[587:581];
    assign entry_84 = column[594:588];
    assign entry_85 = column[601:595];
    assign entry_86 = column[608:602];
    assign entry_87 = column[615:609];
    assign entry_88 = column[622:616];
    assign entry_89 = column[629:623];
    assign entry_90 = column[636:630];
    assign entry_91 = column[643:637];
    assign entry_92 = column[650:644];
    assign entry_93 = column[657:651];
    assign entry_94 = column[664:658];
    assign entry_95 = column[671:665];
    assign entry_96 = column[678:672];
    assign entry_97 = column[685:679];
    assign entry_98 = column[692:686];
    assign entry_99 = column[699:693];
    assign entry_100 = column[706:700];
    assign entry_101 = column[713:707];
    assign entry_102 = column[720:714];
    assign entry_103 = column[727:721];
    assign entry_104 = column[734:728];
    assign entry_105 = column[741:735];
    assign entry_106 = column[748:742];
    assign entry_107 = column[755:749];
    assign entry_108 = column[762:756];
    assign entry_109 = column[769:763];
    assign entry_110 = column[776:770];
    assign entry_111 = column[783:777];
    assign entry_112 = column[790:784];
    assign entry_113 = column[797:791];
    assign entry_114 = column[804:798];
    assign entry_115 = column[811:805];
    assign entry_116 = column[818:812];
    assign entry_117 = column[825:819];
    assign entry_118 = column[832:826];
    assign entry_119 = column[839:833];
    assign entry_120 = column[846:840];
    assign entry_121 = column[853:847];
    assign entry_122 = column[860:854];
    assign entry_123 = column[867:861];
    assign entry_124 = column[874:868];
    assign entry_125 = column[881:875];
    assign entry_126 = column[888:882];
    assign entry_127 = column[895:889];
    assign entry_128 = column[902:896];
    assign entry_129 = column[909:903];
    assign entry_130 = column[916:910];
    assign entry_131 = column[923:917];
    assign entry_132 = column[930:924];
    assign entry_133 = column[937:931];
    assign entry_134 = column[944:938];
    assign entry_135 = column[951:945];
    assign entry_136 = column[958:952];
    assign entry_137 = column[965:959];
    assign entry_138 = column[972:966];
    assign entry_139 = column[979:973];
    assign entry_140 = column[986:980];
    assign entry_141 = column[993:987];
    assign entry_142 = column[1000:994];
    assign entry_143 = column[1007:1001];
    assign entry_144 = column[1014:1008];
    assign entry_145 = column[1021:1015];
    assign entry_146 = column[1028:1022];
    assign entry_147 = column[1035:1029];
    assign entry_148 = column[1042:1036];
    assign entry_149 = column[1049:1043];
    assign entry_150 = column[1056:1050];
    assign entry_151 = column[1063:1057];
    assign entry_152 = column[1070:1064];
    assign entry_153 = column[1077:1071];
    assign entry_154 = column[1084:1078];
    assign entry_155 = column[1091:1085];
    assign entry_156 = column[1098:1092];
    assign entry_157 = column[1105:1099];
    assign entry_158 = column[1112:1106];
    assign entry_159 = column[1119:1113];
    assign entry_160 = column[1126:1120];
    assign entry_161 = column[1133:1127];
    assign entry_162 = column[1140:1134];
    assign entry_163 = column[1147:1141];
    assign entry_164 = column[1154:1148];
    assign entry_165 = column[1161:1155];
    assign entry_166 = column[1168:1162];
    assign entry_167 = column[1175:1169];
    assign entry_168 = column[1182:1176];
    assign entry_169 = column[1189:1183];
    assign entry_170 = column[1196:1190];
    assign entry_171 = column[1203:1197];
    assign entry_172 = column[1210:1204];
    assign entry_173 = column[1217:1211];
    assign entry_174 = column[1224:1218];
    assign entry_175 = column[1231:1225];
    assign entry_176 = column[1238:1232];
    assign entry_177 = column[1245:1239];
    assign entry_178 = column[1252:1246];
    assign entry_179 = column[1259:1253];
    assign entry_180 = column[1266:1260];
    assign entry_181 = column[1273:1267];
    assign entry_182 = column[1280:1274];
    assign entry_183 = column[1287:1281];
    assign entry_184 = column[1294:1288];
    assign entry_185 = column[1301:1295];
    assign entry_186 = column[1308:1302];
    assign entry_187 = column[1315:1309];
    assign entry_188 = column[1322:1316];
    assign entry_189 = column[1329:1323];
    assign entry_190 = column[1336:1330];
    assign entry_191 = column[1343:1337];
    assign entry_192 = column[1350:1344];
    assign entry_193 = column[1357:1351];
    assign entry_194 = column[1364:1358];
    assign entry_195 = column[1371:1365];
    assign entry_196 = column[1378:1372];
    assign entry_197 = column[1385:1379];
    assign entry_198 = column[1392:1386];
    assign entry_199 = column[1399:1393];
    assign entry_200 = column[1406:1400];
    assign entry_201 = column[1413:1407];
    assign entry_202 = column[1420:1414];
    assign entry_203 = column[1427:1421];
    assign entry_204 = column[1434:1428];
    assign entry_205 = column[1441:1435];
    assign entry_206 = column[1448:1442];
    assign entry_207 = column[1455:1449];
    assign entry_208 = column[1462:1456];
    assign entry_209 = column[1469:1463];
    assign entry_210 = column[1476:1470];
    assign entry_211 = column[1483:1477];
    assign entry_212 = column[1490:1484];
    assign entry_213 = column[1497:1491];
    assign entry_214 = column[1504:1498];
    assign entry_215 = column[1511:1505];
    assign entry_216 = column[1518:1512];
    assign entry_217 = column[1525:1519];
    assign entry_218 = column[1532:1526];
    assign entry_219 = column[1539:1533];
    assign entry_220 = column[1546:1540];
    assign entry_221 = column[1553:1547];
    assign entry_222 = column[1560:1554];
    assign entry_223 = column[1567:1561];
    assign entry_224 = column[1574:1568];
    assign entry_225 = column[1581:1575];
    assign entry_226 = column[1588:1582];
    assign entry_227 = column[1595:1589];
    assign entry_228 = column[1602:1596];
    assign entry_229 = column[1609:1603];
    assign entry_230 = column[1616:1610];
    assign entry_231 = column[1623:1617];
    assign entry_232 = column[1630:1624];
    assign entry_233 = column[1637:1631];
    assign entry_234 = column[1644:1638];
    assign entry_235 = column[1651:1645];
    assign entry_236 = column[1658:1652];
    assign entry_237 = column[1665:1659];
    assign entry_238 = column[1672:1666];
    assign entry_239 = column[1679:1673];
    assign entry_240 = column[1686:1680];
    assign entry_241 = column[1693:1687];
    assign entry_242 = column[1700:1694];
    assign entry_243 = column[1707:1701];
    assign entry_244 = column[1714:1708];
    assign entry_245 = column[1721:1715];
    assign entry_246 = column[1728:1722];
    assign entry_247 = column[1735:1729];
    assign entry_248 = column[1742:1736];
    assign entry_249 = column[1749:1743];
    assign entry_250 = column[1756:1750];
    assign entry_251 = column[1763:1757];
    assign entry_252 = column[1770:1764];
    assign entry_253 = column[1777:1771];
    assign entry_254 = column[1784:1778];
    assign newest = now & (~now + 255'd1);

    always @* begin
        age = 8'd0;
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

    assign pushes = learn;
    assign tuple_index_0 = tuple[6:0];
    assign tuple_column_0 = {1778'd0, tuple_index_0};
    assign tuple_index_1 = tuple[13:7];
    assign tuple_column_1 = {1778'd0, tuple_index_1};
    assign tuple_index_2 = tuple[20:14];
    assign tuple_column_2 = {1778'd0, tuple_index_2};
    assign tuple_index_3 = tuple[27:21];
    assign tuple_column_3 = {1778'd0, tuple_index_3};
    assign tuple_index_4 = tuple[34:28];
    assign tuple_column_4 = {1778'd0, tuple_index_4};
    assign tuple_index_5 = tuple[41:35];
    assign tuple_column_5 = {1778'd0, tuple_index_5};
    assign tuple_index_6 = tuple[48:42];
    assign tuple_column_6 = {1778'd0, tuple_index_6};
    assign tuple_index_7 = tuple[55:49];
    assign tuple_column_7 = {1778'd0, tuple_index_7};

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
                columns_0 <= {columns_0[1777:0], 7'd0} | tuple_column_0;
            end
            if (pushes) begin
                columns_1 <= {columns_1[1777:0], 7'd0} | tuple_column_1;
            end
            if (pushes) begin
                columns_2 <= {columns_2[1777:0], 7'd0} | tuple_column_2;
            end
            if (pushes) begin
                columns_3 <= {columns_3[1777:0], 7'd0} | tuple_column_3;
            end
            if (pushes) begin
                columns_4 <= {columns_4[1777:0], 7'd0} | tuple_column_4;
            end
            if (pushes) begin
                columns_5 <= {columns_5[1777:0], 7'd0} | tuple_column_5;
            end
            if (pushes) begin
                columns_6 <= {columns_6[1777:0], 7'd0} | tuple_column_6;
            end
            if (pushes) begin
                columns_7 <= {columns_7[1777:0], 7'd0} | tuple_column_7;
            end
        end
    end

endmodule

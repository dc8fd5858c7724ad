UPDATE tablescore_version SET version_num = '0006';
ALTER TABLE tournament_records ADD COLUMN key VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE tournament_records ADD COLUMN signature VARCHAR DEFAULT '' NOT NULL;
UPDATE tournament_records SET key = 'e55fdd2fcd28d09917615e995914f7e32563a04ac97215e960765f98fa68b9cf';
UPDATE tournament_records SET signature = 'ac9999890897e6e8a25046c52a49bc9db099a21297ac229f5c94c05680bfad5a8954a451fbc1a7fe561ae5f3052bcf0065af6e31cd21b81c9259a45ca25e9406'
  WHERE tournament_id = 'golden-duel-e4d2c872' AND sequence = 1;
UPDATE tournament_records SET signature = '536336e2654b8e18739e1ea3b8aa0def3afb20b98198a014f2a097a1810ff5be8a1a8ec0240c0dd0a3ad973c944177b440303d10cfcae4ebfc8d3cd805f66009'
  WHERE tournament_id = 'golden-duel-e4d2c872' AND sequence = 2;
UPDATE tournament_records SET signature = '2148f14578dbe070308a3880ef824d85772324f2db762741911ec47e0d9f93e9fbd84202085c7582587c80e6fde3e03f30e861f2bc3fa75eacc215e28dd4e205'
  WHERE tournament_id = 'golden-duel-e4d2c872' AND sequence = 3;
UPDATE tournament_records SET signature = '16bb4fd382538f31111e6b9ef1e2fbd83b82c91395413da46ece83d660d6ae37183c85a68cba566929698a2bbe98fe750ba59c3b2ec1c314073ef7b71fc87d02'
  WHERE tournament_id = 'golden-duel-e4d2c872' AND sequence = 4;
UPDATE tournament_records SET signature = 'd9c65af05bbe706899082860e288524126815f4e0d08dfbb3f15bad9d83650903ea4de355ba8c6ebb3c47290207a16d87f23bff0ff1612c55861e53635c7d700'
  WHERE tournament_id = 'golden-duel-e4d2c872' AND sequence = 5;
UPDATE tournament_records SET signature = 'f8a2a7ff0d59c4452fe4ea7bef72ec72648c53051dc85c39875fd3181851b07017a72eb53c3522a15d2c67dd77838df3745bd11ec1465c292e9fd0d7e44bbf0a'
  WHERE tournament_id = 'golden-duel-e4d2c872' AND sequence = 6;
UPDATE tournament_records SET signature = '091b292d56a361ba260a0b0b2ca88ee98ae4c31f62b483622a1ff0071cefad6d8ff3f8e5d6e14edd0e3418e5f2d8dd3094dc152271d9aea19c27b1eb3d991308'
  WHERE tournament_id = 'golden-duel-e4d2c872' AND sequence = 7;
UPDATE tournament_records SET signature = 'f9757c1155620dc828f2e99825d73276cc07ba0c4229564d2b05759166e79cc45aaef5491b68bef5bf784d30d94fa7c471a61e16123a24567d113ee1c0228f0b'
  WHERE tournament_id = 'golden-duel-e4d2c872' AND sequence = 8;
UPDATE tournament_records SET signature = 'cbfd62db9656aede6491e4de3d508e8e1b2e1a00b65fb2847f43860d4760d107542d17bc5cb5d078e2143241891f60282ba15c3a02ca83980e96d5f2aae6220c'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 1;
UPDATE tournament_records SET signature = 'ad3c00e9a660c61eb8a25375095b9284f7f1ced34f0d17698b4e8fa968f8d76fea617ad3e8ecd948c3a75b364de4323a281484f90aeed455ac156a190867fe0e'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 2;
UPDATE tournament_records SET signature = '758831a550ce395a415e28c4de99c976ccce31c2cb42b30e75f849325e93ec356035434fe14cb8861140f73a052e7468696edef4854dfb6ea4aeba71bc285606'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 3;
UPDATE tournament_records SET signature = 'b01b6b9f20e9e5773a71e47fc820b03fad2007346a4d26876bc92102e30b550f440e2038d13fdb3f8b0f5a88720d2d04555a5a4e9051d075207039a90cb59107'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 4;
UPDATE tournament_records SET signature = 'acf0a37d5fbf32989c6a5718a9255df1cf9eb4aece2f450226678e95741eb8977cdc030ba14268889c661bb592319e54c9f33b3aa74b90bdbee6c26afea1c708'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 5;
UPDATE tournament_records SET signature = 'f742e0b539d49cb2148af33c3507e3e977acfd06a44f4d4de83619d3e2baa2cc9d9b5cfe18276dfb64296bfa1584f1672147fa9f148ec568c2b4c15369223104'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 6;
UPDATE tournament_records SET signature = '7e8e5aac70b18b1677874cff08f1425846442ce3034b028352a91679f548d6ebccff4465a35a3a14925f1b780650fa52977a18bfc70b452759382871a070f702'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 7;
UPDATE tournament_records SET signature = 'e8bff0dc6680412d7fb93de5ae58c1041c64261c1e7a4d5f89d8ec85689d2114e79adacfee71d0cba28f6b3876ea19c34c4b1ad57a3ba8822e2369e025f34203'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 8;
UPDATE tournament_records SET signature = '41572efb70da2c88d5377eadc1c12b90af40ffd94e51e728d64af018bdc3f9b7edba5c699d18bc39f54b3f6021eaa92250dc81b61b7b8a8d9245312bf5fa9805'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 9;
UPDATE tournament_records SET signature = '2167eebaeeceaa6fd84cccd344f06bccfe275d759b7c7333b780f071e4339d406f178239256ed79768a92e6e5ae759ba148bc5185984d289d6d25159f0ec9908'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 10;
UPDATE tournament_records SET signature = 'b5791a7f8a05f17b71fe2160d696512d88c3240b5d2aeda07ac578d587f55c4d0b8dd577646fc2169025aca429123d4ae86c382b9c9b0ee63287256aabd1550f'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 11;
UPDATE tournament_records SET signature = 'bc15dfeeb68f245eb68b5add6f07b5d20da646f6d1f3445b4f1ea8388000bde59a280975990072ad1bbad79333d02a9fc3719041a9e782b0f866ec1f57c6e908'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 12;
UPDATE tournament_records SET signature = 'b94e11666cfc522ec0c4c75d1672b2d2a90368ea0b7f1cf044be0cec160f863021c38f040c8dcffb33dba2c0f30fde1ec534ecda13e0d75db0c41562780f4201'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 13;
UPDATE tournament_records SET signature = 'cb68ccae7fd1f8661362014c204b9f1a04bcc2f5b309aa2af71e4b7a25c7e76b88f975aff23e2ad8f762d3dc2c60999a34f05218c8cd21d348175af21ea4230e'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 14;
UPDATE tournament_records SET signature = '2f3d329bb27dbd5904549280352b184df7cf02a23b4e5ae7eed445ffd1f54c4a0077cbba3574ef7f6102ce313e1965175cf9f6305593550e62c8e7994fc62f02'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 15;
UPDATE tournament_records SET signature = '4300e7ee5303e12900628c002b607a0da035e93b212de3605fe71fac9d2736bc611c929322cc630e7c60585b68c47995e461473f268949740a71663350474c05'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 16;
UPDATE tournament_records SET signature = '767c3cf6b1e6ab60a6016f678a010eec6821cc34e9b379bd885d0fc2fb4834bc30885459ec51c919bbcd6bc12e7ca250068c686ce8682ee08b4734415b5db807'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 17;
UPDATE tournament_records SET signature = 'ce925f732e1ad5ea1ce1d142e2028509b7d6a5dfcd6fa4bb31ab5769f1c59c1dc70ffbc61eea01d56358777522dff82a04e93e8c96dc710f4d5f28b8fd3eba0c'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 18;
UPDATE tournament_records SET signature = '0dfc113f95d550ed3afcd87bd3516c83222e213a676e6933c7ad15e74acadab3c272232f0dcfb1bad21e4b49f635a380c6209f5650c08cb4097631de79af9c05'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 19;
UPDATE tournament_records SET signature = '027c14d1c632b9ee84324e4e8b2aabb884acd234b3f5e54f1f320c78e274afda79e5f045a2a4013c98d8817d34fb4e2e4d9267029da93deeb521a664a3bd3f0f'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 20;
UPDATE tournament_records SET signature = 'c23b63ec9196db9f9c53b4210dc452127614171a04d63211dd293f176f190d1f48aa3bfe165cf49dc5e509b3f4df2aa1409f1373edb50398fa59f5feb6491f0a'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 21;
UPDATE tournament_records SET signature = '14b0e090130e5bf26b43656721fff67f68b28e7d21d9dda0f280869d481d46b38e60c8428acf29749bc6719718817189d4c1c1c34f51685cdd83012e447a9809'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 22;
UPDATE tournament_records SET signature = '84ee4e3b2f52f1319549f6ad97252b6c67ecaea66e10116410088fb86b09ad65689a8ee8ff37c5e7286406d032da09c90fa78cc9eea8805b1bd14ec311c80403'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 23;
UPDATE tournament_records SET signature = 'ee10114de4f40650069c4104eba6118cc17d68cf85acf3ff9547fe425ff0203ce08ca8be8993229b53a5420dc2a42c0b370948a0ffbd96b9face6d699e2aa500'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 24;
UPDATE tournament_records SET signature = '69319ed914244cde06a8ae7eda4d3e9f930b574fc82f40d4df197481a60e0cb5ff169a14004bbc83cd49108ec8b027a88b167515c97ea62f8e22c1d1c23c4c09'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 25;
UPDATE tournament_records SET signature = '9ebeb02be7a495fa65e00930bcac34e77220586f58d835700ff1046ed0d214fbce491d9fdb478d1b97b2a79b872c7246663bb6e907a092b9a0615f51cb7a3b02'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 26;
UPDATE tournament_records SET signature = '421dcc84fa11cffa2dea61a0685324a375c57d7105ad43d53ac7cb1ef6667f7505474f43a89140ad82f40aa8f59eedb84c00c2d44d3892a09a899d819953050a'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 27;
UPDATE tournament_records SET signature = '64808cc733012b081f7c9e1db8b1497bdbb8e0c94bc4ebba5f0bfa3e380b68ff4048e2bf84cc7206679df67483ad4de2249038351589f273298ac3029f029f00'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 28;
UPDATE tournament_records SET signature = '1484c78d74a0e44c491bbd9b71b2877044e3dd05d357fb7831de9a885f16e80a90ffa4f651729774bc633a8df0b50dd2c77b6172b906fe788b8bcc8cc2b6a50a'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 29;
UPDATE tournament_records SET signature = '298d8776afb21c37b6af7fd78545b8f71869cbc088493c5154880e0b2567503cc7063a4fd736b6f7f7e8dd86e3ccdaf92585143dfeaa968bae7ebb51dfe2ba07'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 30;
UPDATE tournament_records SET signature = 'a65195afb6c5cd97ba0d7c91272eb72c2fce6d799c8b124c0578251eb0aa02da231483e03489cd3fec1a700924893f23a3242bbe51b4ce97e20639f3a9861a07'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 31;
UPDATE tournament_records SET signature = '957b89c0a6afa127cf8abe88756696adc86e0dc0e3c7e983d1f299a01040b5b476eaca605907636cfb9d97cb27883b5bb01a9f921b28256ec5279bc4a18c9c0e'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 32;
UPDATE tournament_records SET signature = '0f0b396fc28954eedba7f59984a2e107c415ee80d3282b73abf7d5cc682c396e671e2093d9037596f2a5df8e7cfbd8f066cfb90b840108bc1a5c3f42c3d00203'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 33;
UPDATE tournament_records SET signature = '644f891421c9c850bbc22ff094da8cd7c751d52d412838b0057fd6bec7e9458551009ae13ede64f82e9067c00235b0497dccc2ec96d176c07b408f2038ea1c0e'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 34;
UPDATE tournament_records SET signature = 'ccc8c3526b791525cc5b6065bb9086925dc9aec703941322e27b1681e90f1369f93718bc06dd7842d8795ce67243c88f6820003d3f0f81107a4cd3b7746e8f09'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 35;
UPDATE tournament_records SET signature = '9309423abfcd53fc72b72f0906968de1bda7acf863bfd405124e1a2fc40b36e5eb05769fdc4cd4479d83f62e5fab9397de3a7cb1e05dd8e405db1470d23bd201'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 36;
UPDATE tournament_records SET signature = '0269b8a9e3355672385492e552bcb1fa502ed0865ea8efa663cf193b6d3d2182e6cbbb8e794aa8e986dede658ee98a9d11e7c1c31f98cfc518a66b884d3c0204'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 37;
UPDATE tournament_records SET signature = 'e2cd179003a3237c2aa52b232f206aaca6a642a7a1a4560db2d43bc89a5f63fa68d9f8175aaeda05ae3c7f8380a370238b27e81f35cdd6ac4fe9c8408bd7320e'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 38;
UPDATE tournament_records SET signature = '5ba4a432ed48eefa0fa6de2090743f4a1cd9a3facbc60ae3010ed89b604e3dfead58d3103b18827b6ce5a4b25cac77dac0ff03ac176355d419807ec32dfaab02'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 39;
UPDATE tournament_records SET signature = 'a17afe1d4970ec56f2c5c251eb479ea661f9e293b1d1be43d3c33b23df0903067214e096a9e1ebe11eb5f68fb72f0b98cbab8e9892f428148cfb6feba0be5200'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 40;
UPDATE tournament_records SET signature = '4adb029d2a77afd4292228f174294c8157244182671d882033996352abb256e201c5ecdb61880b1cd45232e7dcad35121a49bf73a9b8acec867486f8b49d3e01'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 41;
UPDATE tournament_records SET signature = '0744b5e20b9fec319f3c539808c60ed85294147c71bdc9b14d2927c06d258c2c8a01f0c033257ec288db2266018d4d94936b4d1d318ca320c74778ec422c3808'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 42;
UPDATE tournament_records SET signature = '241a090030e2cfcc357aedecd6acabd8384f7eccb8858b158165bbd39b573bf25e1a6aff7adc406a83b65d7c4368b83805dcebd77f34d43cab373399ceba6700'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 43;
UPDATE tournament_records SET signature = 'e15215c4f6889ef677998fc6e808d7f26bbac449cd25595a3f157f21ce93c77734fc29d55cb8e00a9e6aa2f5071c3479f8f1c3b2700bb43f477b1681b3226802'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 44;
UPDATE tournament_records SET signature = '086210bb068c48ab5211050e7b032192e585ff782d020a74618dd617ee2d753aa0a88ae156a15269c2b8b2da6f8d62ebdba402eb8adf1ebb1af079b435654503'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 45;
UPDATE tournament_records SET signature = 'e0007f9c58488d42362616a15328b842749ef0ad1610c4b0f418384bcf8394eb88b733e857e0ec7579dff2bf83294b6cadfc3d247f69aefa18f2dd965365610f'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 46;
UPDATE tournament_records SET signature = '3c6537c155358e9941ac7b920ee30d3d59b6d062b6d5be7c95d00621352b4e8e3707238c53485d9864ba2a854afa7298e53ba7c3273189b4a60771f44eddeb03'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 47;
UPDATE tournament_records SET signature = '42b2eb6d20e07a3e9a876f6df78bc4ded0feced94e382905f8b379ca5f8ffb82e178a9d60a64044d14f179ca5dc04029d261593287f7aa9d9c52e31e4924f90a'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 48;
UPDATE tournament_records SET signature = 'dab07221b944dbc0ef30fe5d0f7348866264cad07e114266bcb3041e69d5d0ff32a8aea5958bef374ad5d5c9f2ba4ed5c6a42c95dd5825ac307214a49e22fe05'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 49;
UPDATE tournament_records SET signature = '11c305989c70775513b20861598580af748e12c2408c958b36f0e46fefb568fb83b11016763ea8e889421563fa36b0cc4d68afb89314dca7673c1131c7828709'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 50;
UPDATE tournament_records SET signature = '1baf7818c36b827a6a0ffb213609ee5ebcb0ddffe211cc6857d8e31c76ea7db8d8593a5c1517afc86535640456f13aa308b5004026715e752e4aabb9dd61dc0e'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 51;
UPDATE tournament_records SET signature = '0865a5955d79346526dc3490c4ebdf2d7ee7e6767bdd5c3d20b6b655ef44be0a00fca4cf6127fa85972feac892f7e81c0cb3b572e9172d7e23949f779ddbb006'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 52;
UPDATE tournament_records SET signature = '92e548abe073075b2205688d2ce6881012593a54a1eeb29596b42a763f9f1b94a4f41ebe784e23bf8a557354234695dbe0e17672cdfe66f072407bdcdc70fa01'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 53;
UPDATE tournament_records SET signature = '9021f6a3541569e9e58966d12a8a6e942964e658ba1ea31f393f29ec841b18b47e8342f69f822ef97104a9df4fbbc45fde5af2259b4e8b3bfb4af1a902258e0e'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 54;
UPDATE tournament_records SET signature = '7aba2b2152b938ccc9b92296c9e86ab2705212521d9b611a148bab31338d6712b0ad3c035e35d5fa2695c9b99e697c3f27c8d34667b69a1b96f8492ca434710a'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 55;
UPDATE tournament_records SET signature = '10ec2f4dc6c939df9e283ad69eb7cd5b953d138ca4bac5850429126c88898ebf579a95328acca5241bec36b7b97f5aa1ebbb7134ad089add7618343ecafdb40e'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 56;
UPDATE tournament_records SET signature = 'dcaa91c5d7f5ddab15112c684a97c12ac5d5ac8e8cb3ea40549e879b621aa85997dc97b100e2909b2d063cae03d43a1eb7af26558319a83edd9d60141b2eb308'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 57;
UPDATE tournament_records SET signature = 'dbc8335f475c623b94866e6b41c94b5ce18667c8c9f143f87d3e16343e054cb199a7ad57c0e7e91a16a50c3d63e17c0a19664857c1ca86847bc0b5d2b7560901'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 58;
UPDATE tournament_records SET signature = '3555560ad7364971b8570a715099d622ee4f81fea7a764a61bb5a3a3508a574fb959d665ec4417a45a11862140f9146e0dce89ad412c2cf8059737644203410f'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 59;
UPDATE tournament_records SET signature = '156178931d4d4cc1f306c780dc186a43211d0338850f26825e47f8683639a34227707de7f3ab2460cecd410f3dd2f6778ddb09b237dfc383b9379f974997080d'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 60;
UPDATE tournament_records SET signature = '4742acee87fe5ec25cd5862dbfa1d0ebefb3e96ae64313794efe1fd50ab1b3b9384202716e01e3f3b24073768a174bf8967370bd82a9a2959971d84d35668a0b'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 61;
UPDATE tournament_records SET signature = '3dec1324f4d1346429d142accb239977ca2f8b32d02e26d5c1e0975485da3d43a663405c0a82cfe38012ecf312b284ef85c4e63c2ae5a52eac154f2686079104'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 62;
UPDATE tournament_records SET signature = 'f0f70bce5d90f3ca5a8c0edead0a1d61a7dd4339700cfa75bc37ab91b5b9972d94f83b1d552f36917470ac9170c91e9cc6427e295465ac0d3b8b202c4ad21f04'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 63;
UPDATE tournament_records SET signature = '4ab3f09b604ab5f1cfa59aa30b2afc1d8595ebd7cdf322374d311d925c432cf5ab01cf7d7c2aa9d413a86327eb8a68f0338d1b2977b3a746be44e3014ec4280a'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 64;
UPDATE tournament_records SET signature = '8cf501bb758c9a221a9d37ef21a122738ef174dbe797c2bf12b5b1f264b41f9758200631195a4c512d1e8bebd3f4415693c30394bb1f5749ba60ed2696ba600a'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 65;
UPDATE tournament_records SET signature = '45d08ab8d8b8ad0f224368cf51639014cbdce4aa2a1217b53ab8360e8aa184a6ddf2f2dfa275b605fed64b6c155f60472d70a1c1a229439349097e5cb73dbf03'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 66;
UPDATE tournament_records SET signature = '722a7085bb3b5f06c90494fee697ef444000b503f2cf2314ed42e0fb1492bf0c57da97ed26c5bf2ed7a15dad639f1e41a3fe5e67a6a00d2ad4ed7fe2fcbe9f02'
  WHERE tournament_id = 'golden-evening-13e51ade' AND sequence = 67;
